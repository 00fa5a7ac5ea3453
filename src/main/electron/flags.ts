import { parseArgs } from 'node:util'
import { defaultFolder } from '../../host/data-folder.ts'

export interface Flags {
  data: string
  node: string | null
  hidden: boolean
  service: boolean
}

/** @param packaged whether `argv` starts with the program alone, without the project folder */
export function readFlags(argv: readonly string[], packaged: boolean): Flags {
  const { values } = parseArgs({
    args: argv.slice(packaged ? 1 : 2),
    options: {
      data: { type: 'string' },
      node: { type: 'string' },
      hidden: { type: 'boolean' },
      service: { type: 'boolean' },
    },
    strict: false,
    allowPositionals: true,
  })
  const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
  return {
    data: text(values.data) ?? defaultFolder(),
    node: text(values.node),
    hidden: values.hidden === true,
    service: values.service === true,
  }
}
