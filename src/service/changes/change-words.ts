import type { PackRecord } from './pack-record.ts'
import { refusal } from '../base/refusal.ts'
import type { InstallPorts } from '../software/software.ts'
import type { WorkWords } from '../runtime/install-run.ts'

export interface SoftwareChoice {
  id: string
  version: string
  /** This build and no other; without it the newest stable one. */
  build?: string | null
}

/** A modpack that comes together with its software. */
export interface PackChange {
  /** What people call it. */
  name: string
  /** It is the first thing on a new server: as long as that is empty, there is nothing to go back to. */
  isFirst: boolean
  /**
   * Has its files ready in a folder, beside those of the software, and answers what it brings and which files go. Rejects with a
   * sentence.
   */
  prepare(folder: string, before: PackRecord | null, ports: InstallPorts): Promise<PackRecord>
  /** Nothing of it is needed any more. */
  done(): Promise<void>
}

/** What the console says of a change of software. */
export const changeWords = (what: string): WorkWords => ({
  kind: 'change',
  begins: `Changing the software to ${what}. A copy of the server is made first.`,
  done: `The software is ${what} now.`,
  canceled: 'The change was canceled. The server is as it was before.',
  failed: `The software was not changed, and the server is as it was before.`,
})

/** What it says of a fresh world. */
export const resetWords: WorkWords = {
  kind: 'reset',
  begins: 'Resetting the server. A copy of it is made first.',
  done: 'The server is reset. A fresh world is made at the next start.',
  canceled: 'The reset was canceled. The server is as it was before.',
  failed: 'The server was not reset, and is as it was before.',
}

/** What it says of a modpack. `isCopied`: there is something that a copy is kept of. */
export const packWords = ({ name }: PackChange, isCopied: boolean): WorkWords => ({
  kind: 'pack',
  begins: `Installing the modpack ${name}.${isCopied ? ' A copy of the server is made first.' : ''}`,
  done: `The modpack ${name} is installed.`,
  canceled: 'The installation of the modpack was canceled. The server is as it was before.',
  failed: 'The modpack was not installed, and the server is as it was before.',
})

/** What is said where a server is no longer there. */
export const gone = () => refusal(404, 'server.not-found.deleted')

/** What is said where a server that is being copied has changed. */
export const changedMeanwhile = () => refusal(409, 'server.changed')

/** What is said where there is nothing to change. */
export const same = () => refusal(422, 'software.same').at('version')

/** Nothing is done with a server before what was begun with it is settled. */
export const unsettled = () => refusal(409, 'software.unsettled')
