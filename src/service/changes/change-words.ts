import type { PackRecord } from './pack-record.ts'
import { refusal } from '../../host/refusal.ts'
import type { InstallPorts } from '../software/software.ts'
import type { WorkWords } from '../runtime/install-run.ts'
import { refusalText } from '../../contract/messages/refusals/index.ts'

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
  begins: refusalText('console.changing', { what }),
  done: refusalText('console.changed', { what }),
  canceled: refusalText('console.change-canceled'),
  failed: refusalText('console.not-changed'),
})

export const wentBack = (what: string) => refusalText('console.went-back', { what })

export const resetWords: WorkWords = {
  kind: 'reset',
  begins: refusalText('console.resetting'),
  done: refusalText('console.reset'),
  canceled: refusalText('console.reset-canceled'),
  failed: refusalText('console.not-reset'),
}

export const packWords = ({ name }: PackChange, isCopied: boolean): WorkWords => ({
  kind: 'pack',
  begins: refusalText(isCopied ? 'console.pack-copied' : 'console.pack', { name }),
  done: refusalText('console.pack-installed', { name }),
  canceled: refusalText('console.pack-canceled'),
  failed: refusalText('console.pack-not-installed'),
})

export const gone = () => refusal(404, 'server.not-found.deleted')

export const changedMeanwhile = () => refusal(409, 'server.changed')

export const same = () => refusal(422, 'software.same').at('version')

export const unsettled = () => refusal(409, 'software.unsettled')
