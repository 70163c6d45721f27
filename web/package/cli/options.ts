import { parseArgs } from 'node:util';

/** The command line of conv2d-check. */

export interface CommandOptions {
  readonly files: readonly string[];
  readonly json: boolean;
  /** 0: none. */
  readonly learningRate: number;
  /** The address of the page; '': links are only the part after it. */
  readonly page: string;
}

type CommandLine = CommandOptions | { readonly help: true } | { readonly fault: string };

export const HELP = `Usage: conv2d-check [OPTIONS] FILE...

Judges the arrays of layers that another program computed: convolution, ReLU and pooling. Says for y, dx, dw and db
whether they are right, and if not, which mistake gives them or where they are wrong. Axis orders, stride, padding,
dilation and groups are found by the values.

FILE    .npz, .npy, .safetensors, .json, or printed arrays (.txt). Several .npy files are judged together; each
        array has the name of its file.

  --json                one line of JSON for each file
  --learning-rate RATE  dw or db may be RATE times the right one for a reason (0.1, 0.01, 0.001 and 0.0001 are known)
  --page URL            address of the page, for links that open a case there
  --help                this text

Exit status: 0 if all results are right, 1 if one is wrong, 2 if a file cannot be read or judged and none is wrong.
`;

export function readCommandLine(args: readonly string[]): CommandLine {
  try {
    const { values, positionals: files } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: 'boolean', default: false },
        'learning-rate': { type: 'string' },
        page: { type: 'string', default: '' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) return { help: true };
    const rate = values['learning-rate'];
    const learningRate = rate === undefined ? 0 : Number(rate);
    if (rate !== undefined && !(learningRate > 0 && Number.isFinite(learningRate))) {
      return { fault: `--learning-rate is "${rate}", but must be a number above 0` };
    }
    if (files.length === 0) return { fault: 'no file is given' };
    return { files, json: values.json, learningRate, page: values.page };
  } catch (thrown) {
    // "Unknown option '--fast'. To specify a positional argument …"
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return { fault: message.replace(/\. To specify.*$/s, '') };
  }
}
