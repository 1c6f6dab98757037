#!/usr/bin/env bash
# Signs the checksums of a release with an SSH key, or verifies the signature and all files.
# It needs only ssh-keygen. Users need the public key in a file ALLOWED, whose lines are
# "release@ptogo ssh-ed25519 AAAA...".
#   bash scripts/sign.sh sign KEY [DIR]        DIR is dist
#   bash scripts/sign.sh verify ALLOWED [DIR]
set -euo pipefail
what=${1:-} key=${2:-} dir=${3:-dist}
if [ -z "$key" ]; then sed -n 's/^# \?//p' "$0" | tail -n +2; exit 2; fi
case $what in
  sign)
    (cd "$dir" && sha256sum --quiet -c checksums.txt) # sign nothing that changed since the build
    rm -f "$dir/checksums.txt.sig"
    ssh-keygen -Y sign -f "$key" -n file "$dir/checksums.txt"
    ;;
  verify)
    ssh-keygen -Y verify -f "$key" -I release@ptogo -n file -s "$dir/checksums.txt.sig" <"$dir/checksums.txt"
    (cd "$dir" && sha256sum --quiet -c checksums.txt)
    ;;
  *) sed -n 's/^# \?//p' "$0" | tail -n +2; exit 2 ;;
esac
