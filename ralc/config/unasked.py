"""Which prompts a run asks nobody with: an edit of one of them changes nothing, and need rerun nothing."""

from ralc.config.root import Config
from ralc.names import methods_by


def unasked_prompts(config: Config) -> list[str]:
    """Return the prompts that the run's choices leave aside, as patterns of file names in `ralc.prompts`, sorted.

    Those of a stage that does not run are not among them: nothing of that stage is made anyway.
    """
    short, by_model = config.sampling.prompts == "short", config.roles.rewriter.method == "llm"
    free = bool({*methods_by(free=True)} & {*config.run.methods})
    hedged = bool(config.hedged_splits())
    asked = {
        "direct_qa_*": not short,
        "short_direct_qa_*": short,
        "hedged_qa_*": hedged and not short,
        "short_hedged_qa_*": hedged and short,
        "evaluator": any(config.readers[name].method == "llm" for name in config.roles.readers),
        "rewrite": by_model,
        "direct_beta": by_model and free,
        "guided_direct_beta": free and not by_model,
    }
    return sorted(prompt for prompt, is_asked in asked.items() if not is_asked)
