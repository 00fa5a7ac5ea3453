import type { AreaHandlers } from '../../../bridge/handlers.ts'
import type { ExternalFiles } from './external-files.ts'

export interface ExternalEditorDependencies {
  externalFiles: ExternalFiles
}

export function externalEditorHandlers({
  externalFiles,
}: ExternalEditorDependencies): AreaHandlers<'external-editor'> {
  return {
    'external-editor.list': () => externalFiles.list(),
    'external-editor.open': ({ connectionId, serverId, path, readOnly }) =>
      externalFiles.open({ connectionId, serverId }, path, readOnly),
    'external-editor.send': ({ id, overwrite }) => externalFiles.send(id, overwrite),
    'external-editor.text': async ({ id }) => ({ text: await externalFiles.text(id) }),
    'external-editor.stop': async ({ id, keep }) => ({ keptAt: await externalFiles.stop(id, keep) }),
    'external-editor.reveal': ({ id }) => externalFiles.reveal(id),
  }
}
