// A tool of Compiler Explorer that runs a program of ptogo on the source text.

import {BaseTool} from './base-tool.js';

export class PtoTool extends BaseTool {
    static get key() {
        return 'pto-tool';
    }
}
