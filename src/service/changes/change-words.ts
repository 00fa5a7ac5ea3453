import type { PackRecord } from './pack-record.ts'
import { refusal } from '../base/refusal.ts'
import type { InstallPorts } from '../software/software.ts'
import type { WorkWords } from '../runtime/install-run.ts'

export interface SoftwareChoice {
  id: string
  version: string
  /** Omitted: the newest stable build. */
  build?: string | null
  /** The world is put aside. */
  newWorld?: boolean
}

export interface PackChange {
  name: string
  /** The first thing on a new server: while the server is empty, there is nothing to go back to. */
  isFirst: boolean
  /** Prepares the pack's files in `folder`, next to the software's. Rejects with Refusal. */
  prepare(folder: string, before: PackRecord | null, ports: InstallPorts): Promise<PackRecord>
  done(): Promise<void>
}

export const changeWords = (what: string): WorkWords => ({
  kind: 'change',
  begins: `Changing the software to ${what}. A copy of the server is made first.`,
  done: `The software is ${what} now.`,
  canceled: 'The change was canceled. The server is as it was before.',
  failed: `The software was not changed, and the server is as it was before.`,
})

export const wentBack = (what: string) => `The copy was restored. The software is ${what} now.`

export const resetWords: WorkWords = {
  kind: 'reset',
  begins: 'Resetting the server. A copy of it is made first.',
  done: 'The server is reset. A fresh world is made at the next start.',
  canceled: 'The reset was canceled. The server is as it was before.',
  failed: 'The server was not reset, and is as it was before.',
}

export const packWords = ({ name }: PackChange, isCopied: boolean): WorkWords => ({
  kind: 'pack',
  begins: `Installing the modpack ${name}.${isCopied ? ' A copy of the server is made first.' : ''}`,
  done: `The modpack ${name} is installed.`,
  canceled: 'The installation of the modpack was canceled. The server is as it was before.',
  failed: 'The modpack was not installed, and the server is as it was before.',
})

export const gone = () => refusal(404, 'server.not-found.deleted')

export const changedMeanwhile = () => refusal(409, 'server.changed')

export const same = () => refusal(422, 'software.same').at('version')

export const unsettled = () => refusal(409, 'software.unsettled')
