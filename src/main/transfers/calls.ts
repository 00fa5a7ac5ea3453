import type { AreaHandlers } from '../bridge/handlers.ts'
import type { TransferManager } from './transfers.ts'

export interface TransferDependencies {
  transfers: TransferManager
}

export function transferCalls({ transfers }: TransferDependencies): AreaHandlers<'transfers'> {
  return {
    'transfers.list': () => transfers.list(),
    'transfers.items': (input) => transfers.items(input),
    'transfers.download': (input) => transfers.download(input),
    'transfers.copy': (input) => transfers.copy(input),
    'transfers.pause': ({ transferId }) => transfers.pause(transferId),
    'transfers.resume': ({ transferId }) => transfers.resume(transferId),
    'transfers.cancel': ({ transferId }) => transfers.cancel(transferId),
    'transfers.retry': ({ transferId }) => transfers.retry(transferId),
    'transfers.reorder': (input) => transfers.reorder(input),
    'transfers.answer': (input) => transfers.answer(input),
    'transfers.clear': ({ transferId }) => transfers.clear(transferId),
    'transfers.limit': (input) => transfers.limit(input),
  }
}
