import type { AreaHandlers } from '../../../bridge/handlers.ts'
import type { HandedFiles } from './handed-files.ts'

export interface ExternalEditorDependencies {
  handed: HandedFiles
}

export function handedHandlers({ handed }: ExternalEditorDependencies): AreaHandlers<'handed'> {
  return {
    'handed.list': () => handed.list(),
    'handed.open': ({ connectionId, serverId, path, readOnly }) =>
      handed.open({ connectionId, serverId }, path, readOnly),
    'handed.send': ({ id, overwrite }) => handed.send(id, overwrite),
    'handed.text': async ({ id }) => ({ text: await handed.text(id) }),
    'handed.stop': async ({ id, keep }) => ({ keptAt: await handed.stop(id, keep) }),
    'handed.reveal': ({ id }) => handed.reveal(id),
  }
}
