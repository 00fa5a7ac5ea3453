import { api } from '../../../contract/areas/index.ts'
import { PanelProblem } from '../../base/problem.ts'
import { joined, nameOf } from '../../../contract/rules/paths.ts'
import { type ItemOutcome, finalPath, type TransferContext } from '../items/context.ts'
import { numberedHere } from '../items/claim-name.ts'
import { isSent } from '../items/compare-remote.ts'
import type { Source } from '../sources/local-file.ts'
import type { ItemRow } from '../store/rows.ts'
import { abandonUpload } from './tus.ts'

const NAMES_MOST = 1000

/** Saves a free name before the first byte: with the service's choice, a lost answer would cause a second copy. */
export async function keepBoth(
  context: TransferContext,
  item: ItemRow,
  source: Source,
  send: () => Promise<ItemOutcome>,
): Promise<ItemOutcome> {
  // An earlier answer was lost.
  const unsure = item.sent
  if (item.resume !== null) {
    const ended = await send()
    if (ended.kind !== 'asking') return ended
  }
  const wanted = joined(context.transfer.folder, item.path)
  for (let number = numberOf(wanted, item.target); number <= NAMES_MOST; number++) {
    const target = path(wanted, number)
    if (unsure && (await isSent(context, target, item, source))) return done(context, item, target)
    if (!(await isFree(context, target))) continue
    await abandonUpload(context, item)
    await context.keep(item, { target, sent: false })
    const ended = await send()
    // The name was taken meanwhile, or equals another for the service.
    if (ended.kind !== 'asking') return ended
  }
  return { kind: 'asking' }
}

const done = (context: TransferContext, item: ItemRow, target: string): ItemOutcome => ({
  kind: 'done',
  finalPath: finalPath(context, item, target),
})

function path(wanted: string, number: number): string {
  const name = nameOf(wanted)
  return wanted.slice(0, wanted.length - name.length) + numberedHere(name, number)
}

function numberOf(wanted: string, target: string): number {
  for (let number = 1; number <= NAMES_MOST; number++) if (path(wanted, number) === target) return number
  return 1
}

/** If unknown, the service refuses a taken name itself. */
async function isFree({ client, transfer, signal }: TransferContext, target: string): Promise<boolean> {
  try {
    const asked = { params: { serverId: transfer.serverId }, query: { path: target } }
    const { stream } = await client.open(api.files.read, asked, { signal, range: 'bytes=0-0' })
    stream.destroy()
    return false
  } catch (error) {
    if (!(error instanceof PanelProblem)) throw error
    switch (error.problem.code) {
      case 'not-found':
      case 'unavailable':
      case 'forbidden':
        return true
      case 'conflict':
      case 'invalid':
        return false
      default:
        throw error
    }
  }
}
