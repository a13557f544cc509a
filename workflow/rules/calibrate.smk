# Signal-space calibration (paper section 4.1).
#
# Fits a map of the mean to the outcomes for every (dataset, signal) on the train split, and applies
# each to every dataset's test split: in-domain and cross-domain.
# Reads: signals, grades. Makes: maps (small JSON), calibrated.
# Steered by: calibration.map, ablations.map, ablations.protocol, protocol (Platt's bounds and smoothing).


rule fit_maps:
    input:
        questions=QUESTIONS,
        signals=f"{OUT}/signals/{{target}}.parquet",
        grades=f"{OUT}/grades/{{target}}.parquet",
        code=code("fit_maps"),
    output:
        f"{OUT}/maps/{{target}}.json",
    log:
        f"{OUT}/logs/fit_maps/{{target}}.log",
    localrule: True
    conda:
        CPU
    params:
        methods=settings.maps(),
        protocols=under_each("platt_", "map_"),
    message:
        "Calibration maps of {wildcards.target}"
    script:
        "../scripts/fit_maps.py"


rule calibrate_signals:
    input:
        questions=QUESTIONS,
        signals=f"{OUT}/signals/{{target}}.parquet",
        maps=f"{OUT}/maps/{{target}}.json",
        code=code("calibrate_signals"),
    output:
        f"{OUT}/calibrated/{{target}}.parquet",
    log:
        f"{OUT}/logs/calibrate_signals/{{target}}.log",
    localrule: True
    conda:
        CPU
    message:
        "Calibrated signals of {wildcards.target}"
    script:
        "../scripts/calibrate_signals.py"
