# Signal-space calibration (paper section 4.1).
#
# Fits a map of the mean to the outcomes for every (dataset, signal) on the train split. Applies each to every
# dataset's test split, in-domain and cross-domain. Each default map is saved with the lexicon and a card, as one file
# for an application (`ralc card`, `ralc rewrite`, `ralc serve`).
# Reads: samples, signals, grades, lexicon. Makes: maps (small JSON, and a table of them),
# calibrated, calibrators.
# Steered by: calibration.map, ablations.map, ablations.protocol, protocol (bounds, prior of the slope).

from ralc.protocols import CHOICES

# The calibrators of a target that are saved for an application: train dataset, signal.
SAVED_PAIRS = [[train, signal] for train in DATASETS for signal in settings.run.signals]


rule fit_maps:
    input:
        questions=QUESTIONS,
        signals=f"{OUT}/signals/{{target}}.parquet",
        grades=f"{OUT}/grades/{{target}}.parquet",
        code=code("fit_maps"),
    output:
        maps=f"{OUT}/maps/{{target}}.json",
        calibrated=f"{OUT}/calibrated/{{target}}.parquet",
    log:
        f"{OUT}/logs/fit_maps/{{target}}.log",
    localrule: True
    conda:
        CPU
    params:
        methods=settings.maps(),
        protocols=under_each("platt_", "slope_prior", "map_"),
        grader=role("grader").described,
    message:
        "Calibration maps of {wildcards.target}, and its calibrated signals"
    script:
        "../scripts/fit_maps.py"


rule list_maps:
    input:
        maps=expand(f"{OUT}/maps/{{target}}.json", target=TARGETS),
        code=code("list_maps"),
    output:
        f"{OUT}/maps/maps.parquet",
    log:
        f"{OUT}/logs/list_maps.log",
    localrule: True
    conda:
        CPU
    params:
        targets=TARGETS,
    message:
        "The calibration maps and their flags"
    script:
        "../scripts/list_maps.py"


rule save_calibrators:
    input:
        samples=f"{OUT}/samples/{{target}}.parquet",
        questions=QUESTIONS,
        signals=f"{OUT}/signals/{{target}}.parquet",
        grades=f"{OUT}/grades/{{target}}.parquet",
        lexicon=f"{OUT}/lexicon/lexicon.parquet",
        code=code("save_calibrators"),
    output:
        [
            report(
                f"{OUT}/calibrators/{{target}}/{train}/{signal}.json",
                caption="../../report/calibrators.rst",
                category="For an application",
                labels={"shows": f"{{target}} by {signal}, fitted on {train}"},
            )
            for train, signal in SAVED_PAIRS
        ],
    log:
        f"{OUT}/logs/save_calibrators/{{target}}.log",
    priority: -1  # no step waits for them
    localrule: True
    conda:
        CPU
    params:
        how={
            "pairs": SAVED_PAIRS,
            "method": settings.calibration.map,
            "evaluator": settings.evaluators[settings.roles.evaluator].method,
            "seed": settings.seed,
        },
        protocol={"protocol": PROTOCOL.name, **PROTOCOL.choices(*CHOICES)},
        temperatures={
            # Nobody knows at which temperature recorded answers were drawn.
            target: None if model.engine == "recorded" else model.sampling.temperature
            for target, model in settings.models.items()
            if target in TARGETS
        },
    message:
        "Calibrators of {wildcards.target} for an application"
    script:
        "../scripts/save_calibrators.py"


CALIBRATORS = [
    f"{OUT}/calibrators/{target}/{train}/{signal}.json"
    for target in TARGETS
    for train, signal in SAVED_PAIRS
]
