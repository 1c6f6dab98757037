#!/usr/bin/env bash
# The step of action.yml: checks the files and folders in FILES for the profile ARCH and
# writes annotations. VERIFY_SYNC is the word of --verify-sync. ACTION is the folder of
# this project. If VERSION names a release, the tools are those of its archive at RELEASES,
# whose SHA-256 checksum must be SHA256; otherwise they are built from the sources in ACTION.
set -euo pipefail

tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
if [ -n "${VERSION:-}" ]; then
  if [ -z "${SHA256:-}" ]; then
    echo "::error::the input version needs the input sha256: the checksum of the archive, from checksums.txt of the release"
    exit 1
  fi
  case "$(uname -s)" in Linux) system=linux ;; Darwin) system=darwin ;; *) system=windows ;; esac
  case "$(uname -m)" in x86_64 | amd64) machine=amd64 ;; *) machine=arm64 ;; esac
  archive=ptogo_${VERSION}_${system}_$machine
  file=$archive.tar.gz
  [ $system != windows ] || file=$archive.zip
  curl -fsSL --retry 3 -o "$tools/$file" "$RELEASES/v$VERSION/$file"
  found=$( (sha256sum "$tools/$file" 2>/dev/null || shasum -a 256 "$tools/$file") | cut -d' ' -f1)
  if [ "$found" != "$SHA256" ]; then
    echo "::error::the checksum of $file is $found, but the input sha256 is $SHA256"
    exit 1
  fi
  if [ $system = windows ]; then unzip -q "$tools/$file" -d "$tools"; else tar -xzf "$tools/$file" -C "$tools"; fi
  mv "$tools/$archive"/pto-opt* "$tools/"
else
  (cd "$ACTION" && CGO_ENABLED=0 go build -o "$tools/" ./cmd/pto-opt)
fi

read -r -d '' -a files <<<"${FILES:-.}" || true # names are separated by spaces or by line breaks
programs=()
for f in "${files[@]}"; do
  if [ -d "$f" ]; then
    while IFS= read -r -d '' p; do programs+=("$p"); done < <(find "$f" -name '*.pto' -type f -not -path '*/.*' -print0 | sort -z)
  else
    programs+=("$f")
  fi
done
if [ ${#programs[@]} = 0 ]; then
  echo "::warning::no .pto files in ${files[*]}"
  exit 0
fi
"$tools/pto-opt" --diagnostics=github --pto-arch="${ARCH:-}" --verify-sync="${VERIFY_SYNC:-false}" -o /dev/null "${programs[@]}"
