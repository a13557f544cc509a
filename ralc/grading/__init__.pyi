from .grader import Grader as Grader
from .grader import LLMGrader as LLMGrader
from .grader import RecordedGrader as RecordedGrader
from .grader import ReferenceGrader as ReferenceGrader
from .grader import reference_grade as reference_grade
from .rewrites import RewriteGrader as RewriteGrader
