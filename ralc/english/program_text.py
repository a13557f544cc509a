"""Text that a program reads, and no person: data, markup, code, commands, addresses, formulas in TeX.

Data, markup and TeX are found by their grammar. Any other line is told from prose by its symbols: a logistic regression
on public code and prose (``ralc/data/program_text.json``, which ``studies/program_text.py`` makes) gives its log-odds.
"""

import ast
import csv
import json
import re
import sys
import warnings
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import groupby, pairwise
from textwrap import dedent
from typing import NamedTuple

from ralc import data
from ralc.english.choice_letters import is_matching
from ralc.english.wordlists import case_of, phrases

#: Characters of a line that are looked at.
_LONGEST = 300
#: Elements that may stay open inside another.
_DEEPEST = 50
_TOKEN = re.compile(r"[^\W\d_]+|\d+|\s+|.", re.DOTALL)
#: Markdown that prose has, too: what marks an item, emphasis, inline code; and the label of a value ("Answer: B").
_ITEM = re.compile(r"^(?:[-*+•>]\s+|\d{1,3}[.)]\s+)+")
#: A quotation, and a box to tick, before what it holds.
_QUOTE = re.compile(r"^(?:> +)*(?:(?:[-*+] +)?\[[ xX✓✔]\] +)?")
_HEADING = re.compile(r"#{1,6} [^#]")
_EMPHASIS = re.compile(
    r"(\*{1,2}|~~|(?<!\w)_{1,2})(?=[^\s*])([^*~_\n]+)(?<=\S)\1|</?(?:b|br|code|em|i|strong|su[bp]|u) ?/?>"
)
_LINK = re.compile(r"!?\[([^\]\n]{1,200})\]\([^()\s]{0,500}\)")
_INLINE_CODE = re.compile(r"(`+)[^`\n]+\1")
_INLINE_CODE_LATER = re.compile(rf"(?<=\s){_INLINE_CODE.pattern}")
_LABEL = re.compile(
    r"^(?!(?:if|elif|else|for|while|with|case|default|lambda|except)\b|\w+(?:Error|Exception|Warning):)"
    r"[A-Za-z][\w -]{0,40}:\s+(?=\S)"
)
#: A word, a name of some ("HyperText Markup Language"), a number, or a formula with names of one letter, which answer
#: questions ("NaCl", "42", "x = 4") ...
_FUNCTION = "sin|cos|tan|log|ln|exp|sqrt|lim|max|min|mod"
_ANSWER = re.compile(
    r"[^\W\d_]+(?: \d+)?[.!?]?|(?:[A-Z][a-z]+){1,2}(?: [A-Z][a-z]+){2,4}"
    r"|\[(?:[Aa]nswer:? )?[A-J](?:[.:)] [^\[\]{}]*)?\]"
    rf"|(?:(?:{_FUNCTION}|[A-Z][a-z]|[a-z]?[A-Z]{2}|[a-z][A-Z]|[^\W\d_π])(?![^\W\d_π])"
    r"|[\d\s()+\-−–*/^=<>≤≥≠≈·×.,|!?%′°√π∞→±∪∩⊂∈]|_(?:\{\w{1,2}\}|\w(?![^\W\d_])))+"
)
#: Words of a line that is no sentence, and of one of several; marks that these have none of.
_FEW = 4
_MANY = 8
_BEFORE = re.compile(r"(?:@\w+\s+|[A-Z]{2,}: )?[^\w\[@]*")
_OF_PROSE = re.compile(r"[\w\s().,:%!?'’\"“”–—-]*")
_CHOICE = re.compile(r"\W*[A-J][.):\]]\s")
#: The mark of a choice or of a question; what is matched with some: "A: whale; C: bat", "i: true; ii: false".
_MARK = re.compile(r"[A-J]|\d{1,2}|[ivx]{1,4}")
_MATCHED = re.compile(rf"(?:(?:^|[;,] )(?:{_MARK.pattern})[.):]\s?[^;,:(){{}}]+){{2,}}")
_BRACES = re.compile(r"[{}<>=\\]")
_MARKS_OF_CODE = re.compile(r"[{}<>=;|\\$_]|\w\(")
#: ... but none with operators of programs.
_OPERATOR = re.compile(
    r"[=!<>+*/|-]=|[a-z]\+\+|\+\+\w|--|//|\|\||^[-/!]\w|\*\*|->|=>|\w\?\.\w|^\*\.|\([-+*/] |^[*./]+$|\s\*(?:\s+\*|$)"
)
#: What marks a name of a program: a capital inside, an underscore.
_HUMP = re.compile(r"[a-z]{2}[A-Z]|_")
#: A name with underscores or humps; an address of mail or of the net; a path; a long hexadecimal number.
_IDENTIFIER = re.compile(
    r"\$?_*(?=[A-Za-z\d]+_)(?=[^\W\d]*[^\W\d_]{2})[A-Za-z]\w*[A-Za-z\d]_?|[a-z]{2,}(?:[A-Z][a-z]{2,}\d*)+|[a-z]{2,}(?:[A-Z][a-z]+){2,}|(?:[A-Z][a-z]+){3,}"
    r"|\w[\w.+-]*@(?:[\w-]+\.)+[A-Za-z]{2,}|[a-z][a-z\d-]+(?:\.[a-z][a-z\d-]+)+(?:[/:]\S*)?"
    r"|(?:\d{1,3}\.){3}\d{1,3}(?:[/:]\d+)?|[a-z][a-z\d+.-]*://\S+|www\.\S+|(?:~|\.{1,2})?/[\w.-]+(?:/[\w.*-]*)*"
    r"|[^\s\\]*(?:\\[^dDwWsSb\s][^\s\\]*)*\\[dDwWsSb](?![A-Za-z])\S*|[A-Za-z]:\\\S*|(?=\S*\d)[\da-f]{16,}|[\da-f]{8}(?:-[\da-f]{4,12}){4}|[A-Z]{2,}-(?:\d+-)+\d{3,}|(?:[\dA-F]{2}:){5}[\dA-F]{2}"
)
#: An identifier inside a sentence, and a call where it ends: "It is called user_id.", "The len() function counts.".
_INSIDE = re.compile(
    rf"(?<=[\s\"'“])(?:{_IDENTIFIER.pattern}|</?[a-z]\w*>|[A-Za-z_][\w.]*\([^()\s]*\)(?=.*[.!?]$))(?=[\s.,;:!?)\"'”]|$)"
)
#: A call or a command that is the subject of a sentence: "len() counts the items.", "rm deletes files for good."
_CALL = re.compile(r"^[a-z_][\w.]*\([^()\s]*\)(?= [a-z])|^[a-z]+(?= [a-z]+s [a-z].*[a-z]\.$)")
#: What an agent does, what it does that with, and what came of it: "Action: search[Lima]", "Observation: none".
_STEP = re.compile(
    r"^[ \t]*(?:(?:Obs(?:ervation)?"
    r"|(?:Action|Function|Tool)[ _](?:Arg(?:ument)?|Call|Input|Name|Output|Response|Result)s?)(?: ?\d+)?:[^\n]*"
    r"|Act(?:ion)?(?: ?\d+)?:[ \t]*(?:\w+[ \t]*$|[^\n]*(?=\n[ \t]*Action[ _]Input))"
    r"|Calling (?:function|tool) [^\n]*|(?:Act(?:ion)?|Call|Function|Invoke|Tool)(?: ?\d+)?:[ \t]*"
    r"(?:`?[\w.-]+[\[(][^\n]*[\])]`?|[A-Za-z]+(?:_[A-Za-z]+)+\b[^\n]*)$"
    r"|(?:[a-z][a-z_]{2,}|Search|Lookup|Finish|Retrieve|Calculate)\[(?!\d)[^\[\]\n]{2,}\]$)",
    re.MULTILINE,
)
_AGENT = r"^[ \t*_#>-]*(?:Act(?:ion)?(?:[ _]Input)?|Obs(?:ervation)?|Thought|Final Answer)(?: ?\d+)?\**:"
#: What an agent thinks, does and sees, with its final answer, which a program looks for; that it does or answers.
_TRACE = re.compile(
    rf"{_AGENT}[^\n]*(?:(?:(?:\n[ \t]*)+(?={_AGENT})|\n(?![^\w\n]*Answer\b)(?=[^\n]*\S))[^\n]*)+",
    re.MULTILINE,
)
_ACTS = re.compile(
    r"(?ms)\W*(?:Act.*^[^\w\n]*(?:Obs|Thought)|(?:Obs|Thought).*^[^\w\n]*(?:Act|Final Answer))"
)
#: How grave a line of a log is.
_LEVEL = "TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|CRITICAL|FATAL"
#: A line of a log with its time, host and process, a rule of CSS, a range of cells, nothing, a row of cells, commands
#: in a row; a declaration of Visual Basic; data behind its name; what an application asks for: "title: Chad's Capital".
_LINE = re.compile(
    r"(?:[A-Z][a-z]{2} {1,2}\d\d? )?\d\d:\d\d:\d\d\S* \S+ \S+\[\d+\]: .*|[^{}]*\{(?:\s*[a-z-]+\s*:[^{};]+;?)+\s*\}"
    rf"|\[(?:{_LEVEL})\]:? .*|(?:{_LEVEL}):(?: |[\w.]+:).*|(?:{_LEVEL})\s+(?:\d{{4}}-\d\d|\[|[-–] ).*"
    r"|\[?\d{4}([-/.])\d\d\1\d\d[T ]\d\d:\d\d:\d\d\S* .*|[DEFIW]\d{4} \d\d:\d\d:\d\d.*"
    rf"|\[?(?:\d{{4}}-\d\d-\d\d[T ])?\d\d:\d\d\S* (?:\[\S+\] )?\W?(?:{_LEVEL})\b.*"
    r"|[A-Z][a-z]{2} {1,2}\d\d? \d\d:\d\d:\d\d \S+ \S+: .*"
    r"|select (?:distinct )?[\w.]+(?:, ?[\w.]+)* from [\w.]+(?: (?:group|inner|join|left|limit|order|where) .*)?;?"
    r"|grant \w+ on \w+ to \w+;?"
    r"|[A-Z]{1,2}\d+:[A-Z]{1,2}\d+|null|[A-Z]{3,}: X{3,}"
    r"|(?=.*[A-Za-z])[^\s,]{2,}(?:,[^\s,]{2,}){2,}|[a-z][\w-]* .*(?:&&|\|\|) [a-z].*"
    r"|(?:(?:Private|Public|Static) )?(?:Dim|ReDim|Const|Static|Private|Public) \w+[^.!?]* As \w+.*"
    r"|On Error (?:Resume|GoTo) \w+|Option (?:Explicit|Strict|Compare|Base)\b.*"
    r"|(?:(?:Private|Public) )?Const \w+ = .*|=[A-Z]{2,}\(.*"
    r"|(?i:title|subject|tags?|keywords?|(?:search )?quer(?:y|ies)|follow[-_ ]?ups?|slug|file ?name): [^.!?]*"
    r"|(?i:description): .*|[a-z][\w-]*: [^#]*\s# [A-Za-z].*"
    r"|(?:let|local|va[lr])(?: mut)? \w+(?:\s*:\s*[\w<>\[\]?]+)? = .*|[a-z]\w* \([-+*/<>=&|.$]+\s?\w*\) .*"
    r"|[a-z-]+: ?-?[\d.]+(?:px|r?em|v[hw]|pt|fr|deg)\b[^.]*"
    r"|(?:(?:abstract|data|enum|sealed) class|instance|interface|object|protocol|scalar|trait) [A-Z]\w*(?: .*)?"
    r"|(?:Segmentation fault|Bus error|Illegal instruction|Floating point exception)|(?:[Ee]rror|fatal): .*[^.!?]"
    r"|fatal: .*|[a-z][\w.-]*: (?:[\w ]+: )+[A-Z][a-z][^.!?]*|Process finished with exit code \d+"
    r"|(?:[A-Z]\w+Error|Error: [A-Z]{4,}): .*|[A-Z]{1,5}\d{3,5}: [a-z].*"
    r"|[a-z]+ .*\b0x[\dA-Fa-f]+|.*(?:\w\.[a-z]{1,4}:\d|\b0x[\da-f]{4}).*[^.!?]|(?:EXPOSE|FROM|RUN|USER|WORKDIR) \S+"
    r"|(?:X|Accept|Access|Cache|Content|Set|Transfer|User|WWW)-[A-Z][\w-]*: .*"
    r"|(?:Add|Clear|Convert(?:From|To)|Copy|Export|ForEach|Format|Get|Import|Install|Invoke|Move|New(?!-(?:York|Zea|Jer|Mex))|Out|Read|Remove"
    r"|Restart|Select|Set|Sort|Start|Stop|Test|Update|Where|Write)-[A-Z][a-z]\w+\b.*"
)
#: A command of TeX among marks, numbers and names of a letter or two: "\\frac{1}{2}", "\\section{Introduction}".
_TEX_LINE = re.compile(
    r"(?=.*\\[A-Za-z]{2})(?:\\[A-Za-z]+\*?(?:\[[^\]]*\])?(?:\{[^{}]*\})*|\\[^A-Za-z]|[^A-Za-z\\]"
    r"|(?<![A-Za-z])[A-Za-z]{1,2}(?![A-Za-z]))+"
)
#: What relates the sides of a formula; a name by itself, or of a function; a value, with its unit.
_RELATION = re.compile(r"\s*(?:<?[-=]>|[=<>≤≥≠≈∝≡←→⇌↔∈⊂⊆])\s*")
#: A formula behind what it answers: "No, 91 = 7 x 13.".
_REPLY = re.compile(r"(?:Yes|No)[,.:;] [^,=<>≤≥≠≈]{1,40}[=<>≤≥≠≈]")
_JOINT = re.compile(r",\s+|\s+(?:or|and)\s+")
_TERM = re.compile(rf"(?:{_FUNCTION}) ?\d+°?|" r"-?[^\W\d_](?:_?\w|[a-z]{1,4})?(?:\([^()]*\))?'?")
_VALUE = re.compile(r"[\d\s.,/+\-−–±√π∞°%×·*^()$€£]+(?:e[-+]?\d+)?(?:\s[^\W\d_]{1,4}[\w/^·²³⁻-]*)?[.?!]?")
_SYMBOL = re.compile(r"[A-Za-zΑ-ω]+")
_SHORT = re.compile(rf"[A-Za-zΑ-ω]{{1,2}}|{_FUNCTION}")
#: What may be a statement of Python, and reads like words, like a formula or like a plural ("process(es)").
_STATEMENT = re.compile(
    r"(?:import|from|return|yield|raise|del|global|nonlocal|assert|await|with|for|if|elif|while)(?=[\s(])"
    r"|[A-Za-z_]\w*(?:, ?[A-Za-z_]\w*)*\s*[-+*/%|&]{0,2}=[^=]"
    r"|(?!(?:sin|cos|tan|log|exp|sqrt|lim)\()[a-z_][\w.]{2,}\((?!e?s\)$)"
    r"|[a-z]\w?\((?:[^(),]+,){2}"
)
#: What neither English nor a formula has.
_NO_FORMULA = {
    *(ast.AugAssign, ast.For, ast.While, ast.If, ast.IfExp, ast.Call, ast.Subscript, ast.Attribute),
    *(ast.List, ast.Dict, ast.Set, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
    *(ast.JoinedStr, ast.Lambda, ast.Compare, ast.BoolOp, ast.Yield, ast.YieldFrom, ast.Await, ast.Starred),
}
#: Quotes, comments, names of programs and of constants, which no equation has.
_NO_EQUATION = re.compile(r"['\"#]|[^\W\d_]_|_[^\W\d_]|\b[A-Z]{4,}\b")
_PAIR = re.compile(
    r"\s*(?:- )?(?P<key>[\w.-]+|[A-Z][\w-]*(?: [\w-]+){1,2}|\"[^\"\n]*\")"
    r"(?:\s*:(?:\s+(?P<value>.*))?|(?<=\w\w)\s*=.*)$"
)
#: The name of a section, and a comment: "[core]", "# in seconds".
_SECTION = re.compile(r"\[[\w .:\"-]+\]|\s*# .*")
_NAME = re.compile(r"[a-z_][\w.-]*")
_SENTENCE = re.compile(r".*[.!?]$|(?:\S+\s+){6}\S")
#: A string, a comment, what opens, joins or closes data, any other piece.
_DATUM = re.compile(
    r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|//[^\n]*|[\[\]{},:]|\s+|[^\s\[\]{},:\"'/]+|[\"'/]",
    re.DOTALL,
)
_LITERAL = re.compile(
    r"[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|0x[\da-fA-F]+|[-+]?(?:NaN|Infinity)|(?i:true|false|null|none)"
)
#: A reference behind a sentence: "It is closed.[1][2]".
_REFERENCE = re.compile(r"(?<=[.!?,;:)\]\s])\[\d{1,3}\]")
_CITATION = re.compile(r"\[(?:\d{1,3}| )\]")
_TAG = re.compile(
    r"<(?P<close>/?)(?P<name>[A-Za-z][\w:.-]*)(?:\s[^<>]*)?(?P<empty>(?<=/))?>"
    r"|\\(?P<tex>begin|end)\{(?P<environment>[a-z]+\*?)\}"
)
_INDENT = re.compile(r"^[^\S\n]*", re.MULTILINE)
_TEX = re.compile(
    r"\$\$[^$]+\$\$|\\\((?:[^\n\\]|\\[^()\n])*\\\)|\\\[(?:[^\\]|\\[^\[\]])*\\\]"
    r"|(?<![\w$\\])\$(?=[^\s$])(?=[^$\n]*[\\^_={}+<>]|.\$)(?:[^$\n\\]|\\.)+(?<=\S)\$(?![\w$])"
)
#: A comment of many lines; a change of a file, line by line.
_COMMENT = re.compile(r"^[ \t]*/\*(?:[^*/]|\*(?!/)|/(?!\*))*\*/[ \t;]*$", re.MULTILINE)
_DIFF = re.compile(
    r"^(?:diff --git [^\n]*|--- \S[^\n]*\n\+\+\+ \S[^\n]*|(?:(?<![^\n]\n)(?:[-+ ][^\n]*\n)+)?@@ -\d[^\n]*@@[^\n]*)"
    r"(?:\n(?:[-+ @\\]|diff |index )[^\n]*)*",
    re.MULTILINE,
)
#: Both sides of what two people changed.
_CONFLICT = re.compile(r"^<{7}[^\n]*\n(?>(?:(?![<>]{7})[^\n]*\n)*)>{7}[^\n]*$", re.MULTILINE)
#: A line that is a comment beside code, and one behind it: "// It lives for an hour.".
_REMARK = re.compile(r"\s*(?:--|//|[%;]+\s|['!]\s|(?i:rem)\s)\s*\S")
_REMARK_BEHIND = re.compile(r"(?<=[;{}),\]])\s+(?:--|//)\s.*")
#: A query of SQL over lines.
_QUERY = re.compile(
    r"^[ \t]*(?:delete|insert|select|update)\b[^\n]*"
    r"(?:\n[ \t]*(?:and|from|group by|having|(?:inner |left )?join|limit|on|order by|set|values|where)\b[^\n]*)+",
    re.MULTILINE,
)
_SUBTITLE = re.compile(
    r"^(?:WEBVTT[^\n]*\n\s*)?(?:\d+\n)?(?:\d\d:)?\d\d:\d\d[,.]\d{3} --> [^\n]*(?:\n[^\n]+)*", re.MULTILINE
)
#: A calendar, a card or a certificate, down to its end, and a reference, a tag a line; text in YAML, farther in.
_RECORD = re.compile(
    r"^(-*)BEGIN[: ]([A-Z][A-Z ]*)\1\n(?>(?!\1END[: ]\2\1$)[^\n]*\n){0,500}\1END[: ]\2\1$"
    r"|^(?:[A-Z][A-Z\d]  - ?[^\n]*(?:\n|\Z)){2,}",
    re.MULTILINE,
)
_SCALAR = re.compile(
    r"^([ \t]*)(?:- )?[\w.-]+: [|>][-+\d]?\n(?:\1[ \t]+\S[^\n]*(?:\n|\Z)|[ \t]*\n)+", re.MULTILINE
)
#: Lines of names and numbers, which are a postal address where a postcode is among them.
_NAME_OR_NUMBER = (
    r"(?:[A-ZÀ-Þ\d][^\s,]*|c/o|&|ru[ae]|avenue|boulevard|place|of|the|and|[dl][aeiou]s?|du|van|der|den|am|im)"
)
_NAMES = rf"{_NAME_OR_NUMBER}(?:,? {_NAME_OR_NUMBER}){{0,9}},? *"
_ADDRESS = re.compile(rf"^{_NAMES}(?:\n{_NAMES}){{0,7}}$", re.MULTILINE)
_POSTCODE = re.compile(
    r"\b(?:[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[A-Z]{2} \d{5}|[A-Z]\d[A-Z] \d[A-Z]\d)\b"
    r"|\b\d{1,3}[a-z]?\b.*\n(?:(?:(?!1[5-9]|20)\d{4}|\d{5}|\d{4}-\d{3}|\d{3} \d{2}) [A-ZÀ-Þ]|.* [A-Z]{3} \d{4}\b)"
)
#: Lines down to one that ends them ("End Sub", "end"), as far in as the first; those between are farther in, or turn.
_BLOCK = re.compile(
    r"^([ \t]*)(?!end\b)[^\W\d][^\n]*\n"
    r"(?>(?:(?:\1[ \t]+\S|\1(?:else|elseif|elsif|when|case|rescue|ensure)\b)[^\n]*\n|[ \t]*\n)*)"
    r"\1(?:end(?: [a-z]\w*){0,2}|next(?: \w)?|loop|wend|fi|done|esac)[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
#: Lines down to the bracket that closes what the first opens, as far in.
_BRACED = re.compile(
    r"^([ \t]*)[^\s\d][^\n]*[{(\[]\n(?>\1(?=[^\n]*[ \t])[^\n]*\n|[ \t]*\n){0,200}?\1[})\]]+[;,)]*[ \t]*$",
    re.MULTILINE,
)
#: What was typed and what it gave; a diagram of Mermaid; steps of a test in words.
_SESSION = re.compile(r"^(?:\$ [a-z]|>>> |PS [A-Z]:|[A-Z]:\\[^\n>]*>)[^\n]*(?:\n[^\n]+)*", re.MULTILINE)
#: How a program ended, with all that stands below: "thread 'main' panicked at src/main.rs:4:5:".
_CRASH = re.compile(
    r"^(?:[^\n]*(?:\bpanicked at (?:'|[^\s:]+:\d)|\breceived signal SIG[A-Z]|\(core dumped\)$"
    r"|[ \t.(][A-Z]\w+(?:Error|Exception)[):] [^\n]*[^.!?\n]$|\.[A-Z]\w+(?:Error|Exception)$)"
    r"|(?:[Ff]atal error|[Kk]ernel panic|panic|BUG)(?::| -) [^\n]*[^.!?\n]$|Oops: \d|terminate called "
    r"|(?:\w+ ){0,3}[Uu]n(?:caught|handled) (?:error|exception)[:.] |\[ *\d+\.\d{6}\] |==\d+== "
    r"|\*{3} [^*\n]+ \*{3}: )[^\n]*(?:\n[^\n]+)*",
    re.MULTILINE,
)
_DIAGRAM = re.compile(
    r"^[ \t]*(?:(?:graph|flowchart) (?:TB|TD|BT|RL|LR)\b|pie\b|gantt$|mindmap$|timeline$"
    r"|(?:sequence|class|state|er)Diagram)[^\n]*\n(?:[^\n]*\S[^\n]*(?:\n|\Z))+|^@startuml(?:\n[^\n]*)*?\n@enduml$",
    re.MULTILINE,
)
_STEPS = re.compile(
    r"^[ \t]*(?:(?:Feature|Scenario(?: Outline)?|Background):[^\n]*|Given [^\n]*[^\n.])\n(?:(?:[ \t]*\n)*"
    r"(?:[ \t]+\S|Given|When|Then|And|But|Scenario|Examples|Background|\*|\||@)[^\n]*[^\n.](?:\n|\Z))+",
    re.MULTILINE,
)
_REQUEST = re.compile(
    r"^(?:(?:GET|POST|PUT|PATCH|DELETE|HEAD) /\S*|HTTP/[\d.]+ \d{3})[^\n]*(?:\n[A-Z][\w-]+: [^\n]*)+",
    re.MULTILINE,
)
_FENCE = re.compile(r"\s*(?:```|~~~)")
_TABLE = re.compile(r"(?=[^-]*-)[\s|:-]+")


class CodeModel(NamedTuple):
    """A logistic regression on the symbols of a line.

    ``keywords`` stand for themselves, ``names`` are other words of programs. ``weights`` are of symbols, and of
    sequences of two and three, which a null character joins. A line is code above the log-odds ``threshold``, one of
    English words above ``words_threshold`` ("class struggle").
    """

    keywords: frozenset[str]
    names: frozenset[str]
    weights: dict[str, float]
    intercept: float
    threshold: float
    words_threshold: float

    def features(self, line: str) -> set[str]:
        """Return the symbols of a line, and its sequences of two and three; Markdown and a label are left out."""
        bare = _LABEL.sub("", _INLINE_CODE.sub("Aa", _plain(_ITEM.sub("", line, count=1))), count=1)
        row = ["^", *map(self._symbol, _TOKEN.findall(bare)), "$"]
        pairs = map("\0".join, pairwise(row))
        return {*row, *pairs, *map("\0".join, zip(row, row[1:], row[2:], strict=False))}

    def log_odds(self, line: str) -> float:
        """Return the log-odds that a line is code."""
        return self.intercept + sum(self.weights.get(feature, 0.0) for feature in self.features(line))

    def _symbol(self, token: str) -> str:
        """A keyword or mark as it is; else the shape of a word, ``0`` for digits, one space."""
        first = token[0]
        if first.isdigit():
            return "0"
        if first.isspace():
            return " "
        if not first.isalpha() or token in self.keywords:
            return token
        if token in self.names:
            return "name"
        if token.islower():
            return "a"
        if len(token) == 1:
            return "A"
        if token.isupper():
            return "AA"
        return "Aa" if token.istitle() else "aA"


@cache
def _model() -> CodeModel:
    table = json.loads(data.path("program_text.json").read_text(encoding="utf-8"))
    words = {kind: frozenset(table[kind].split()) for kind in ("keywords", "names")}
    return CodeModel(**{field: table[field] for field in CodeModel._fields} | words)


@lru_cache(maxsize=5_000)
def is_code(line: str) -> bool:
    """Return whether a line is code, a command, an address or a name of a program; a short answer is not.

    >>> [is_code(line) for line in ("ls -la /tmp", "print(x)", "user_id", "x = 4", "NaCl", "Rome is old.")]
    [True, True, True, False, False, False]
    """
    bare = _QUOTE.sub("", line.strip()[:_LONGEST])
    if _REPLY.match(bare) or _MATCHED.fullmatch(bare) or is_matching(bare):
        return False
    if any(kind.fullmatch(bare) for kind in (_IDENTIFIER, _LINE, _TEX_LINE)) or _is_formula(bare):
        return True
    statement = _is_statement(bare)
    if statement is not None:
        return statement
    if (_ANSWER.fullmatch(bare) and not _OPERATOR.search(bare)) or _reads_as_sentence(bare):
        return False
    model = _model()
    return model.log_odds(bare) > (model.words_threshold if is_words(bare) else model.threshold)


def _is_formula(line: str) -> bool:
    """Whether a line relates symbols, and does not give each a value: "E = mc^2", not "x = 4" or "x = 2 or x = 3"."""
    if not _RELATION.search(line) or _CHOICE.match(line):
        return False
    symbols = _SYMBOL.findall(line)
    named = all(_SHORT.fullmatch(one) or (len(one) < 5 and case_of(one) == "unknown") for one in symbols)
    return bool(symbols) and named and not all(map(_gives_value, _JOINT.split(line)))


def _gives_value(relation: str) -> bool:
    """Whether a relation is of one name and of values: "0.5 < x < 1"."""
    sides = _RELATION.split(relation)
    rest = [side for side in sides if not _VALUE.fullmatch(side)]
    return len(sides) > 1 and len(rest) == 1 and _TERM.fullmatch(rest[0]) is not None


@lru_cache(maxsize=5_000)
def _reads_as_sentence(line: str) -> bool:
    """Whether a line begins with a capital, and most of its words are English; few words have no marks but of prose."""
    line = _CALL.sub("It", _INLINE_CODE_LATER.sub("it", _plain(line)))
    line = _INSIDE.sub("it", _BEFORE.sub("", _ITEM.sub("", line, count=1), count=1))
    words = re.findall(r"(?<!['’])[^\W\d_]+", line)
    # "HTML uses it.", "SELECT reads rows.", but no "SELECT name"
    acronym = len(words) > 2 and words[0].isupper() and words[1].islower()
    acronym = acronym and (line.endswith(".") or not is_words(words[0].lower()))
    if not words or not line[:1].isupper() or not (acronym or words[0][1:] == words[0][1:].lower()):
        return False
    small = [word for word in words if not word.isupper()] or words  # what is in capitals is a name
    known = sum(case_of(word) != "unknown" for word in small) / len(small)
    if len(words) <= _FEW:
        ended = known >= 0.75 and line.endswith(".")  # "It returns a list."
        return (known == 1 or ended) and _OF_PROSE.fullmatch(line) is not None
    if len(words) > _MANY and known >= 0.6:  # a semicolon or a bracket is of prose
        return not _BRACES.search(line)
    return known >= 0.8 and not _MARKS_OF_CODE.search(line)


def _plain(line: str) -> str:
    """A line without links, references and emphasis, one mark inside another."""
    line = _REFERENCE.sub("", _LINK.sub(r"\1", line))
    return _EMPHASIS.sub(r"\2", _EMPHASIS.sub(r"\2", line))


def is_words(line: str) -> bool:
    """Return whether a line is words of English, with no marks but commas."""
    return all(one in " ," or case_of(one) != "unknown" for one in _TOKEN.findall(line))


def _is_statement(line: str) -> bool | None:
    """Whether a statement of Python is no English and no formula; None where a line is no such statement.

    It calls or compares, changes what it names, has a word that nobody writes or that programs are full of.
    """
    colon = line.endswith(":")
    source = f"{line.removeprefix('el')} pass" if colon else line
    statements = _syntax(source) if _STATEMENT.match(line) else []
    if not statements:
        return None
    nodes = [node for one in statements for node in ast.walk(one)]
    kinds = {*map(type, nodes)}
    if len(statements) > 1 or not kinds.isdisjoint(_NO_FORMULA) or _NO_EQUATION.search(line):
        return True
    if isinstance(statements[0], ast.Assign):
        return _is_no_equation(statements[0])
    called = any(isinstance(node, ast.Call) and len(node.args) > 2 for node in nodes)
    return called or ast.Constant in kinds or _are_of_program({*re.findall(r"[^\W\d]+", line)[1:]})


def _is_no_equation(statement: ast.Assign) -> bool:
    """Whether an assignment has several targets or a truth, or a side of it has the other, or a program's words."""
    new, old = ({*_names(side)} for side in (statement.targets, [statement.value]))
    decided = len(statement.targets) > 1 or _has_truth(statement) or not new.isdisjoint(old)
    return decided or _are_of_program({name for name in new if len(name) > 1})


def _are_of_program(words: set[str]) -> bool:
    """Whether one of some words is one that programs are full of, or that nobody writes."""
    known = _model().keywords | sys.stdlib_module_names
    odd = (word for word in words if word.islower() or _HUMP.search(word))
    return not known.isdisjoint(words) or any(case_of(word) == "unknown" for word in odd)


def _has_truth(statement: ast.stmt) -> bool:
    """Whether a statement has ``True``, ``False``, ``None`` or ``...``, which no equation has."""
    values = (node.value for node in ast.walk(statement) if isinstance(node, ast.Constant))
    return any(value is None or value is ... or isinstance(value, bool) for value in values)


def _names(nodes: list[ast.expr]) -> Iterator[str]:
    """The names in some expressions."""
    return (one.id for node in nodes for one in ast.walk(node) if isinstance(one, ast.Name))


def _syntax(source: str) -> list[ast.stmt]:
    """The statements of a piece of Python; none where it is no Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)  # of numbers that run into words
            return ast.parse(source).body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return []


@lru_cache(maxsize=5_000)
def without_program_text(text: str) -> str:
    """Return a text of the same length: what a program reads is blank, or ``X`` inside a line of prose.

    >>> without_program_text('{"city": "Lima"}').strip()
    ''
    >>> without_program_text('The city is {"city": "Lima"}.')
    'The city is XXXXXXXXXXXXXXXX.'
    """
    letters = list(text)
    for start, end in _regions(text):
        letters[start:end] = [one if one == "\n" else "\0" for one in text[start:end]]
    lines = "".join(letters).split("\n")
    blank = {at for at, line in enumerate(lines) if "\0" in line and not any(map(str.isalnum, line))}
    masked = [" " * len(line) if at in blank else line.replace("\0", "X") for at, line in enumerate(lines)]
    code = _code_lines(masked, text.split("\n"))
    return "\n".join(" " * len(line) if at in code else line for at, line in enumerate(masked))


def _regions(text: str) -> Iterator[tuple[int, int]]:
    """Where data, markup, formulas in TeX, comments and changes of files begin and end."""
    if "{" in text or "[" in text:
        yield from _data(text)
    if ">" in text or "\\" in text:
        yield from _elements(text)
    for sign, pattern in (
        ("$", _TEX),
        ("\\", _TEX),
        ("/*", _COMMENT),
        ("--", _DIFF),
        ("@@", _DIFF),
        ("<<<<<<<", _CONFLICT),
        ("-->", _SUBTITLE),
        ("BEGIN", _RECORD),
        ("  - ", _RECORD),
        (": ", _SCALAR),
        ("\n", _QUERY),
        ("\n", _BLOCK),
        ("\n", _BRACED),
        ("", _CRASH),
        ("\n", _DIAGRAM),
        ("\n", _STEPS),
        ("\n", _REQUEST),
        (":", _STEP),
        ("[", _STEP),
        ("$ ", _SESSION),
        (">", _SESSION),
    ):
        if sign in text:
            yield from (match.span() for match in pattern.finditer(text))
    yield from (trace.span() for trace in _TRACE.finditer(text) if _ACTS.match(trace[0]))
    yield from (lines.span() for lines in _ADDRESS.finditer(text) if _POSTCODE.search(lines[0]))


def _data(text: str) -> Iterator[tuple[int, int]]:
    """Objects and arrays of JSON, of JSON5 and of Python, the outermost."""
    opened: list[tuple[str, int]] = []
    found: list[tuple[int, int]] = []
    before = ""
    at = _next_bracket(text, 0)
    while at < len(text):
        match = _DATUM.match(text, at)
        piece = match[0]
        if before not in "[{,:" and piece[0] in "\"'":
            piece = piece[0]  # an apostrophe
        if piece in "[{":
            opened.append((piece, at))
        elif piece in "]}":
            _close("[" if piece == "]" else "{", at + 1, opened, found)
        before = before if piece.isspace() else piece
        at = at + len(piece) if opened else _next_bracket(text, at + len(piece))
    for start, end in found:
        link = text[end : end + 1] == "(" or _CITATION.fullmatch(text, start, end)
        if not (link and text.strip() != text[start:end]) and _is_data(text[start:end]):
            yield start, end


def _close(bracket: str, end: int, opened: list[tuple[str, int]], found: list[tuple[int, int]]) -> None:
    """Close the last bracket of a kind that is open: what was found inside it is a part of it."""
    while opened and opened[-1][0] != bracket:
        opened.pop()
    if opened:
        start = opened.pop()[1]
        while found and found[-1][0] > start:
            found.pop()
        found.append((start, end))


def _next_bracket(text: str, start: int) -> int:
    """Where data may begin."""
    places = [place for place in (text.find("{", start), text.find("[", start)) if place >= 0]
    return min(places, default=len(text))


def _is_data(text: str) -> bool:
    """Whether a bracket holds data: with keys quoted, literals as numbers and no last comma, it is JSON."""
    pieces = [piece for piece in _DATUM.findall(text) if not (piece.isspace() or piece.startswith("//"))]
    plain = []
    for piece, behind in zip(pieces, [*pieces[1:], ""], strict=True):
        if piece == "," and behind in ("]", "}"):
            continue
        string = len(piece) > 1 and piece[0] in "\"'"
        if string or (behind == ":" and re.fullmatch(r"[\w$.-]+", piece)):
            plain.append('"s"')
        else:
            plain.append("0" if _LITERAL.fullmatch(piece) else piece)
    try:
        json.loads("".join(plain))
    except (ValueError, RecursionError):
        return False
    return True


def _elements(text: str) -> Iterator[tuple[int, int]]:
    """Elements of HTML or XML and environments of TeX that begin a line, the outermost."""
    firsts = {match.end() for match in _INDENT.finditer(text)}
    opened: list[tuple[str, int]] = []
    for tag in _TAG.finditer(text):
        name = tag["name"] or tag["environment"]
        start = tag.start()
        if tag["close"] or tag["tex"] == "end":
            if name not in {other for other, _ in opened[-_DEEPEST:]}:
                continue
            while opened[-1][0] != name:
                opened.pop()
            start = opened.pop()[1]
        elif tag["empty"] is None:
            opened.append((name, start))
            continue
        if not opened and start in firsts:
            yield start, tag.end()


def _code_lines(lines: list[str], originals: list[str]) -> set[int]:
    """The numbers of the lines that are data or code; what lies between two of them is, where all of it is Python.

    In `lines` what was found already is masked.
    """
    if _is_one_statement(originals):
        return {*range(len(lines))}
    found: set[int] = set()
    for _, group in groupby(range(len(lines)), lambda at: (bool(lines[at].strip()), _leads(lines, at))):
        found.update(_code_of_block(lines, originals, [at for at in group if not _FENCE.match(lines[at])]))
    found |= _remarks(lines, originals, found)
    if found:
        for first, last in ((0, len(lines) - 1), (min(found), max(found))):
            if last > first and _syntax(dedent("\n".join(originals[first : last + 1]))):
                return found | {*range(first, last + 1)}
    return found


def _remarks(lines: list[str], originals: list[str], found: set[int]) -> set[int]:
    """The numbers of the lines that are comments right above or below code, or above or below such ones."""
    remarks: set[int] = set()
    rows = [at for at, line in enumerate(originals) if line.strip()]
    for ordered in (rows, rows[::-1]):
        beside = False
        for at in ordered:
            if not _REMARK.match(lines[at]):
                beside = at in found or not lines[at].strip()
            elif beside:
                remarks.add(at)
    return remarks


def _code_of_block(lines: list[str], originals: list[str], numbers: list[int]) -> list[int]:
    """Which lines of a paragraph are data or code: all, where most are; none of a table, which is Markdown's."""
    if any("|" in lines[at] and _TABLE.fullmatch(lines[at]) for at in numbers):
        return []
    block = [at for at in numbers if any(map(str.isalnum, lines[at]))]
    code = [at for at in block if _holds_code(lines[at], originals[at])]
    rows = [lines[at] for at in block]
    whole = 2 * len(code) > len(block) or (len(block) > 1 and (_has_keys(rows) or _has_cells(rows)))
    return numbers if whole else code


def _holds_code(line: str, original: str) -> bool:
    """Whether a line is code: as it was before data in it was masked, or by what is left."""
    bare = original.strip()
    if line != original and (_LINE.fullmatch(bare) or _is_statement(bare)):
        return True
    return not _HEADING.match(line) and is_code(_REMARK_BEHIND.sub("", line, count=1))


def _leads(lines: list[str], at: int) -> bool:
    """Whether a line of words says what follows it: "Here is the data:"."""
    line = lines[at].rstrip()
    return line.endswith(":") and len(line[:-1].split()) > 1 and _reads_as_sentence(lines[at])


def _is_one_statement(lines: list[str]) -> bool:
    """Whether lines are one statement of Python that goes on over them; a heading of Markdown is a comment there."""
    joined = len(lines) > 1 and not lines[0].lstrip().startswith("#")
    statements = _syntax(dedent("\n".join(lines))) if joined else []
    return len(statements) == 1 and statements[0].end_lineno == len(lines)


def _has_keys(lines: list[str]) -> bool:
    """Whether lines are YAML of keys: names of a program, or labels of short values but the answer's or a choice's.

    It has several, or one beside a section or a comment, which Markdown takes for a heading above labels.
    """
    rows = [line for line in lines if not _SECTION.fullmatch(line)]
    pairs = [_PAIR.match(line) for line in rows if not line.lstrip().startswith("- ") or _PAIR.match(line)]
    keys = {*(pair["key"] for pair in pairs if pair)}
    if not all(pairs) or len(keys) + (len(rows) < len(lines)) < 2 or all(map(_MARK.fullmatch, keys)):
        return False
    if all(_NAME.fullmatch(pair["key"].strip('"')) for pair in pairs):
        return True
    if any(line.startswith("#") for line in lines) or all(map(_ITEM.match, lines)):
        return False
    sentences = any(_SENTENCE.match(pair["value"] or "") for pair in pairs)
    return not sentences and not any(phrases("answer_label").match(f"{pair['key']}: ") for pair in pairs)


def _has_cells(lines: list[str]) -> bool:
    """Whether lines are CSV of two columns or more; behind a comma of prose there is a space, at a bar two.

    Of three columns or more, or a word and a number, each comma may have a space, where no line ends as a sentence or
    as verse does.
    """
    ends = any(line.rstrip().endswith((".", "!", "?", ":", ",", ";")) for line in lines)
    cells = [line.replace(" | ", "\t") for line in lines]
    for delimiter in ",;\t":
        try:
            rows = list(csv.reader(cells, delimiter=delimiter))
        except csv.Error:
            continue
        spaced = any(cell.startswith(" ") for row in rows for cell in row)
        columns = len(rows[0]) + all(row[-1].strip().isdigit() for row in rows if row)
        prose = spaced and (ends or len(rows) < 2 or columns < 3)
        if not prose and len({len(row) for row in rows}) == 1 and len(rows[0]) > 1:
            return True
    return False
