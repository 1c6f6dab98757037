/** A place in a program: lines and columns count from 1. */
export interface Related { line: number; message: string }

/** An edit that corrects an error. from and to are offsets in the text, in UTF-16 units. */
export interface Fix { title: string; from: number; to: number; new: string }

/** A message of the verifier, of a checker, or about a fault. */
export interface Diagnostic {
  line: number;
  column: number;
  severity: "error" | "warning" | "remark";
  /** The code of the message, as docs/diagnostics-codes.md lists them. */
  code?: string;
  message: string;
  related?: Related[];
  fixes?: Fix[];
}

export interface Param { name: string; type: string; pointer: boolean; element?: string }

export interface Kernel { name: string; params?: Param[] }

/** A launch of a kernel. args have the syntax of --arg of pto-run, such as "iota=64x64xf32". */
export interface Launch { kernel?: string; target?: Target; blocks?: number; ranks?: number; args?: string[]; expect?: string[] }

export type Target = "a2" | "a3" | "a5";

export interface ProgramOptions {
  /** The file name in messages. */
  name?: string;
  /** The hardware generation; without it, the program selects it. */
  target?: Target;
}

export interface CheckOptions extends ProgramOptions { kernel?: string }

export interface Analysis {
  diagnostics: Diagnostic[];
  target: Target | "";
  /** Whether the program has no errors. */
  ok: boolean;
  kernels: Kernel[];
  /** The chips for which the time can be predicted. */
  chips: string[];
  /** The pto-run command in the comments of the program. */
  launch?: Launch;
}

export interface RunOptions extends ProgramOptions {
  kernel?: string;
  blocks?: number;
  ranks?: number;
  /** One argument for each parameter, in the syntax of --arg. Without it, arguments are generated. */
  args?: string[];
  /** The chip whose time is predicted. */
  chip?: string;
  /** Whether the program runs unchanged (default true), or with inserted synchronization. */
  asWritten?: boolean;
  /** A formula in the syntax of numpy that the result is compared with, such as "y = 2 * x + 1". */
  expression?: string;
  /** The text of a second kernel whose results are compared. */
  other?: string;
  /** The files that args name with in=NAME, such as the bytes of a .npy file. */
  files?: Record<string, Uint8Array>;
}

export interface ResultArray {
  name: string;
  rank: number;
  element: string;
  shape: number[];
  spec: string;
  /** Whether the run changed the contents. */
  changed: boolean;
  /** The array as a .npy file. */
  npy: Uint8Array;
  /** The elements as numbers; of a large array, the first 262,144. */
  values: Float64Array;
}

export interface Comparison {
  against: string;
  array: number;
  elements: number;
  count: number;
  largest_error: string;
  text?: string;
  outcome: string;
}

/** A finding of a checker, such as a race. */
export interface CheckReport { check: string; severity: string; class: string; at: string; text: string; notes?: { at?: string; text: string }[] }

export interface RunResult {
  diagnostics: Diagnostic[];
  /** Whether the kernel was started. */
  ran: boolean;
  /** Whether synchronization was inserted. */
  prepared: boolean;
  kernel: string;
  target: string;
  blocks: number;
  ranks: number;
  launch: Launch;
  fault?: Diagnostic;
  printed?: string;
  notes?: string[];
  arrays: ResultArray[];
  comparisons?: Comparison[];
  checks?: { errors: number; warnings: number; remarks: number; reports: CheckReport[]; coverage: unknown };
  /** Edits that correct the findings of the checkers. */
  edits?: Fix[][];
  /** The predicted time, as pto-run --timing=json writes it. */
  timing?: unknown;
  /** The predicted time of each pipe, in the format of Perfetto. */
  trace?: unknown;
  stats?: unknown;
  /** The memory map, as pto-opt --memory-map=json writes it. */
  memory?: unknown;
}

export interface Advice {
  diagnostics: Diagnostic[];
  /** The steps that were tried, with their predicted times, as pto-run --advise prints them. */
  report: string;
  /** Whether a faster program was found. text is this program, and launch its launch. */
  faster: boolean;
  text: string;
  launch: Launch;
}

export interface PassOptions extends ProgramOptions {
  /** Passes in order, such as "pto-insert-sync" or "pto-multi-buffer{factor=2}". */
  passes?: string[];
}

export interface Stage { pass: string; doc: string; changed: boolean; text: string }

export interface Tools {
  check(text: string, options?: CheckOptions): Analysis;
  run(text: string, options?: RunOptions): RunResult;
  advise(text: string, options?: Omit<RunOptions, "ranks" | "asWritten" | "expression" | "other">): Advice;
  passes(text: string, options?: PassOptions): { diagnostics: Diagnostic[]; stages: Stage[] };
  emit(text: string, form: "llvm" | "cpp" | "pto-as", options?: ProgramOptions): { diagnostics: Diagnostic[]; text: string };
}

export interface LoadOptions {
  /** The program pto.wasm or pto.wasm.gz, if a bundler or a cache supplies it. */
  wasm?: Uint8Array | ArrayBuffer;
}

/** A request that is wrong, such as one with an unknown format. */
export class RequestError extends Error {}

/** Starts the tools. Later calls return the same tools. */
export function load(options?: LoadOptions): Promise<Tools>;
