#!/usr/bin/env bash
# Build what is committed, check the files, install the wheel where nothing else is, and run README's lines there.
# Needs the network, for the tools and for what the package depends on. All of it is left in results/release.
set -euo pipefail
unset PYTHONPATH  # nothing but the wheel
python=$1
out=$PWD/results/release
rm -rf "$out"
mkdir -p "$out/source"
git archive HEAD | tar -x -C "$out/source"

"$python" -m venv "$out/tools"
"$out/tools/bin/pip" install --quiet build check-wheel-contents twine
"$out/tools/bin/python" -m build --outdir "$out/dist" "$out/source" > "$out/build.log"
"$out/tools/bin/twine" check --strict "$out"/dist/*
"$out/tools/bin/check-wheel-contents" "$out"/dist/*.whl

"$python" -m venv "$out/clean"
wheel=$(echo "$out"/dist/*.whl)
"$out/clean/bin/pip" install --quiet "$wheel[parser]"
cd "$out"
"$out/clean/bin/ralc" --version | grep -F "$(sed -n 's/^version = "\(.*\)"/\1/p' source/pyproject.toml)"
"$out/clean/bin/ralc" read "I think it might be Paris."
sed -n '/^```python$/,/^```$/p' source/README.md | sed '/^```/d' > readme.py
"$out/clean/bin/python" readme.py
echo "The release is in order: $wheel"
