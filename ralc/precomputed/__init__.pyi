from .conversion import FORMATS as FORMATS
from .conversion import convert as convert
from .conversion import questions_of as questions_of
from .conversion import samples_of as samples_of
from .conversion import write as write
from .samples import Samples as Samples
from .samples import read as read
from .samples import read_first as read_first
