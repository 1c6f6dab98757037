// Finds the tools, and the options with which a program is run.

import { accessSync, constants } from "node:fs";
import path from "node:path";

/** Returns the path of a tool: in the folder of the settings, in the extension, or its bare name. */
export function toolPath(name, folder, extensionPath, windows = process.platform === "win32") {
  const file = windows ? name + ".exe" : name;
  if (folder) return path.join(folder, file);
  const included = path.join(extensionPath, "bin", file);
  try {
    accessSync(included, constants.X_OK);
    return included;
  } catch {
    return file; // the system searches the path
  }
}

/**
 * Returns the options of the first pto-run command in the comments of a program, without the
 * file and without options that print or compare, or null. A line that ends in a backslash
 * continues in the next comment.
 */
export function commandIn(text) {
  let command = "";
  for (const line of text.split("\n")) {
    const comment = line.match(/^\s*\/\/\s?(.*)$/)?.[1].trim();
    if (comment === undefined) {
      if (command) return null;
      continue;
    }
    if (!command && !comment.startsWith("pto-run ")) continue;
    command += " " + comment.replace(/\\$/, "");
    if (!comment.endsWith("\\")) return optionsOf(words(command));
  }
  return null;
}

/** The options with a value in the next word that describe a launch. */
const launching = new Set(["--arg", "--kernel", "--blocks", "--ranks", "--pto-arch", "--gm-slack"]);

function optionsOf(all) {
  const options = [];
  for (let i = 1; i < all.length; i++) {
    const name = all[i].split("=")[0];
    if (!launching.has(name)) {
      // An option such as --expect has its value in the next word, which is not an option.
      if (name.startsWith("--") && !all[i].includes("=") && name === "--expect") i++;
      continue;
    }
    options.push(all[i]);
    if (all[i] === name && i + 1 < all.length) options.push(all[++i]);
  }
  return options;
}

/** Splits a command at blanks; words can be in quotes. */
function words(command) {
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((m) => m[1] ?? m[2] ?? m[3]);
}
