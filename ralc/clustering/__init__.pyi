from .clusterer import cluster as cluster
from .lexical_clusterer import lexical_clusters as lexical_clusters
from .llm_clusterer import parse_clusters as parse_clusters
from .llm_clusterer import render as render
from .majority import in_sentences as in_sentences
from .majority import original_answers as original_answers
