import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ESLint } from 'eslint'
import { beforeAll, describe, expect, it } from 'vitest'
import { at } from '../scripts/project.js'
import { featureExceptions } from './arrows.js'

let eslint: ESLint
beforeAll(() => {
  // The types are not asked here: a snippet that is in no project would be refused by them first.
  eslint = new ESLint({
    cwd: at(),
    overrideConfig: [
      {
        files: ['**/*.ts'],
        languageOptions: { parserOptions: { projectService: false, project: null } },
      },
    ],
    ruleFilter: ({ ruleId }) => ruleId === 'house/arrows',
  })
})

/** What the linter says about a line, were it in that file. */
async function verdict(file: string, code: string): Promise<string[]> {
  const [result] = await eslint.lintText(`${code}\n`, { filePath: at(file) })
  return (result?.messages ?? []).map((message) => message.ruleId ?? message.message)
}

const forbidden: [file: string, code: string][] = [
  ['src/renderer/app/x.ts', `import { calls } from '../../contract/bridge/calls.ts'`],
  ['src/renderer/app/x.ts', `import { Server } from '../../contract/areas/servers.ts'`],
  ['src/renderer/app/x.ts', `import type { Panel } from '../../main/panel.ts'`],
  ['src/renderer/app/x.ts', `import { z } from 'zod'`],
  ['src/contract/rules/x.ts', `import { z } from 'zod'`],
  ['src/contract/rules/x.ts', `import { Server } from '../areas/servers.ts'`],
  ['src/renderer/app/x.ts', `import '../../web/client/index.ts'`],
  ['src/web/client/x.ts', `import { calls } from '../../contract/bridge/calls.ts'`],
  ['src/web/client/x.ts', `export * from '../../main/panel.ts'`],
  ['src/preload/x.ts', `import { calls } from '../contract/bridge/calls.ts'`],
  ['src/service/x.ts', `import { createPanel } from '../main/panel.ts'`],
  ['src/service/x.ts', `const main = await import('../main/panel.ts')`],
  ['src/service/files/x.ts', `import '../areas/files/routes.ts'`],
  ['src/service/runtime/console/x.ts', `import type { Code } from '../../areas/account/codes.ts'`],
  ['src/service/areas/files/x.ts', `import { Codes } from '../account/codes.ts'`],
  ['src/service/areas/files/x.ts', `import '../../../main/panel.ts'`],
  ['src/main/api/x.ts', `import '../../service/main.ts'`],
  ['src/main/api/x.ts', `import '../../web/main.ts'`],
  ['src/main/api/x.ts', `import '../../renderer/main.ts'`],
  ['src/main/api/x.ts', `import '../../preload/index.ts'`],
  ['src/main/api/x.ts', `import { app } from 'electron'`],
  ['src/main/api/x.ts', `import type { App } from 'electron'`],
  ['src/main/panel/panel.ts', `import '../electron/windows/window.ts'`],
  ['src/main/panel/panel.ts', `type Frame = import('electron').WebFrameMain`],
  ['src/renderer/app/x.ts', `export { calls } from '../../contract/bridge/calls.ts'`],
  ['src/renderer/app/x.ts', `const all = await import('../../contract/bridge/calls.ts')`],
  ['src/web/x.ts', `import { app } from 'electron'`],
  ['src/web/client/x.ts', `import { serveSocket } from '../socket.ts'`],
  ['src/host/x.ts', `import { LOCAL } from '../main/ports.ts'`],
  ['src/contract/areas/x.ts', `import '../../main/panel.ts'`],
  ['src/contract/messages/x.ts', `import { z } from 'zod'`],
  ['src/renderer/x.ts', `import './core/bridge.ts'`],
  ['src/renderer/messages/x.ts', `import '../core/bridge.ts'`],
  ['src/renderer/core/x.ts', `import { Drafts } from '../features/editor/drafts.ts'`],
  ['src/renderer/core/x.ts', `import type { Tab } from '../app/features.ts'`],
  ['src/renderer/core/x.ts', `import { notify } from '../ui/notices.svelte.ts'`],
  ['src/renderer/ui/x.ts', `import '../features/feature.ts'`],
  ['src/renderer/ui/x.ts', `const page = import('../app/App.svelte')`],
  ['src/renderer/features/console/x.ts', `import { features } from '../../app/features.ts'`],
  ['src/renderer/features/console/x.ts', `import { Drafts } from '../editor/drafts.ts'`],
  ['src/renderer/features/files/search/x.ts', `import '../../console/line-sequencer.ts'`],
  ['src/renderer/features/editor/x.ts', `const files = await import('../files/Files.svelte')`],
  ['src/renderer/features/feature.ts', `import '../console/line-sequencer.ts'`],
]

const allowed: [file: string, code: string][] = [
  ['src/renderer/app/x.ts', `import { nameOf } from '../../contract/rules/paths.ts'`],
  ['src/renderer/app/x.ts', `import type { CallName } from '../../contract/bridge/calls.ts'`],
  ['src/renderer/app/x.ts', `import { problemCodes } from '../../contract/bridge/problem.ts'`],
  ['src/renderer/app/x.ts', `import { sentences } from '../../contract/messages/sentences.ts'`],
  ['src/web/client/x.ts', `import { localized } from '../../contract/messages/localized-text.ts'`],
  ['src/renderer/app/x.ts', `import { mount } from 'svelte'`],
  ['src/web/client/x.ts', `import type { Bridge } from '../../contract/bridge/bridge.ts'`],
  ['src/web/x.ts', `import { calls } from '../contract/bridge/calls.ts'`],
  ['src/web/client/x.ts', `import type { AnswerMessage } from '../message.ts'`],
  ['src/service/x.ts', `import { lockFolder } from '../host/folder-lock.ts'`],
  ['src/service/x.ts', `import { mountServers } from './areas/servers/routes.ts'`],
  ['src/service/areas/files/x.ts', `import { JobRunner } from '../../files/jobs.ts'`],
  ['src/service/areas/files/x.ts', `import './contents.ts'`],
  ['src/service/runtime/x.ts', `import { Refusal } from '../base/refusal.ts'`],
  ['src/web/x.ts', `import '../main/panel/database-worker.ts'`],
  ['src/service/x.ts', `import { Server } from '../contract/areas/servers.ts'`],
  ['src/main/api/x.ts', `import { Server } from '../../contract/areas/servers.ts'`],
  ['src/main/electron/x.ts', `import { app } from 'electron'`],
  ['src/main/index.ts', `import { app } from 'electron'`],
  ['src/preload/x.ts', `import { ipcRenderer } from 'electron'`],
  ['src/main/index.ts', `import { createPanel } from './panel.ts'`],
  ['src/contract/areas/x.ts', `import { z } from 'zod'`],
  ['src/main/x.ts', `import { readFile } from 'node:fs/promises'`],
  ['src/renderer/core/x.ts', `import { t } from '../messages/t.svelte.ts'`],
  ['src/renderer/ui/x.ts', `import { call } from '../core/bridge.ts'`],
  ['src/renderer/features/files/search/x.ts', `import { files } from '../index.ts'`],
  ['src/renderer/features/files/x.ts', `import { part } from '../feature.ts'`],
  ['src/renderer/features/files/x.ts', `import { notify } from '../../ui/notices.svelte.ts'`],
  ['src/renderer/app/x.ts', `import { files } from '../features/files/index.ts'`],
  ['src/renderer/main.ts', `import App from './app/App.svelte'`],
]

describe('the import arrows', () => {
  it.each(forbidden)('refuse in %s: %s', async (file, code) => {
    expect(await verdict(file, code)).toEqual(['house/arrows'])
  })
  it.each(allowed)('allow in %s: %s', async (file, code) => {
    expect(await verdict(file, code)).toEqual([])
  })
  it('name no pair of features of which one needs the other no longer', () => {
    const features = at('src/renderer/features')
    const needed = readdirSync(features, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(ts|svelte)$/.test(file))
      .flatMap((file) => {
        const [from = ''] = file.split(path.sep)
        const code = readFileSync(path.join(features, file), 'utf8')
        return featureExceptions.filter(
          (pair) => pair.startsWith(`${from} `) && code.includes(`/${pair.split(' → ')[1] ?? ''}/`),
        )
      })
    expect([...new Set(needed)].sort()).toEqual([...featureExceptions].sort())
  })
  it('know every room: a folder without arrows is refused', async () => {
    expect(await verdict('src/attic/x.ts', `import { z } from 'zod'`)).toContain('house/arrows')
  })
})
