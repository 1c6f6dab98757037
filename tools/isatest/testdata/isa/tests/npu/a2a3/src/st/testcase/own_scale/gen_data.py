import os
import struct

for name in ("right", "wrong", "odd", "large"):
    folder = "Scale." + name
    os.makedirs(folder, exist_ok=True)
    numbers = [0.5 * i - 7 for i in range(64)]
    for file, values in (("in", numbers), ("factor", [2.5]), ("golden", [2.5 * x for x in numbers])):
        with open(folder + "/" + file + ".bin", "wb") as f:
            f.write(struct.pack("%df" % len(values), *values))
with open("numbers.txt", "w") as f:
    f.write("24\n -48 end\n")
os.makedirs("Scale.text", exist_ok=True)
