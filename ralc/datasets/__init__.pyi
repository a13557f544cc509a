from .loading import READERS as READERS
from .loading import load as load
from .loading import prepare as prepare
from .questions import questions_table as questions_table
from .questions import split as split
from .validation import Findings as Findings
from .validation import check as check
from .worldfacts import WORLDFACTS as WORLDFACTS
