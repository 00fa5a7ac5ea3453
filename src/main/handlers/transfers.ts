import type { AreaHandlers, Rooms } from './handlers.ts'

export function transferHandlers({ transfers }: Rooms): AreaHandlers<'transfers'> {
  return {
    'transfers.list': () => transfers.list(),
    'transfers.items': (input) => transfers.items(input),
    'transfers.download': async (input) => ({ transferId: (await transfers.download(input)).transferId }),
    'transfers.copy': async (input) => ({ transferId: (await transfers.copy(input)).transferId }),
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
