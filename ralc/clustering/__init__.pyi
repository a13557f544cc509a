from .clusterer import Clusterer as Clusterer
from .clusterer import LexicalClusterer as LexicalClusterer
from .clusterer import LLMClusterer as LLMClusterer
from .clusterer import lexical_clusters as lexical_clusters
from .clusterer import parse_clusters as parse_clusters
from .majority import in_sentences as in_sentences
from .majority import original_answers as original_answers
