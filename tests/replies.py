"""What models reply in tests of the steps that ask them."""

from collections.abc import Iterable
from typing import Any

import pandas as pd

from ralc.llm import Response
from ralc.llm.tables import join, responses_table


def replied(requests: pd.DataFrame, texts: Iterable[str], **more: Any) -> pd.DataFrame:
    """Requests with a text in reply to each distinct one, as often as it is asked for."""
    asked = requests.drop_duplicates("key")[["key", "n"]].itertuples(index=False)
    pairs = zip(asked, texts, strict=False)
    said = [Response(one.key, text, "stop", sample=i, **more) for one, text in pairs for i in range(one.n)]
    return join(requests, responses_table(said))
