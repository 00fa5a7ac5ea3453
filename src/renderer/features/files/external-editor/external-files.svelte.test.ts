import { beforeEach, expect, it } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { page } from 'vitest/browser'
import type { ExternalFile } from '../../../../contract/bridge/external-editor-calls.ts'
import '../../../app/theme.css'
import { ScriptedBridge } from '../../../core/scripted-bridge.fixture.ts'
import { notices } from '../../../ui/feedback/notices.svelte.ts'
import ExternalFilesBar from './ExternalFilesBar.svelte'

const ref = { connectionId: 'c', serverId: 's' }
const problem = {
  code: 'invalid' as const,
  message: 'It is no UTF-8 text now. Save it as UTF-8.',
  retryable: false,
}
const one = (id: string, state: ExternalFile['state']): ExternalFile => ({
  ...ref,
  id,
  path: `plugins/${id}.yml`,
  isGone: false,
  sentAt: state.kind === 'watched' ? new Date().toISOString() : null,
  state,
})

let way: ScriptedBridge
let all: ExternalFile[]
beforeEach(() => {
  all = []
  way = new ScriptedBridge({
    'external-editor.list': () => ({ ok: true, value: all }),
    'external-editor.send': () => ({ ok: true, value: undefined }),
    'external-editor.reveal': () => ({ ok: true, value: undefined }),
    'external-editor.stop': () => ({ ok: true, value: { keptAt: '/home/ann/Downloads/a.yml' } }),
    'external-editor.text': () => ({ ok: true, value: { text: 'mine: 1\n' } }),
    'files.read-text': ({ path }) => ({
      ok: true,
      value: { path, size: 9, modifiedAt: null, etag: '"1"', content: { kind: 'text', text: 'theirs: 1\n' } },
    }),
  })
  window.panel = way
})
const button = (name: string) => page.getByRole('button', { name })
const asked = (name: string) => way.called.filter((call) => call.name === name).map(({ input }) => input)

it('shows how each file stands, and nothing of other servers', async () => {
  all = [
    one('a', { kind: 'watched' }),
    one('b', { kind: 'failed', problem }),
    { ...one('c', { kind: 'watched' }), serverId: 'other' },
  ]
  await render(ExternalFilesBar, { server: ref })
  await expect.element(page.getByText('a.yml')).toBeVisible()
  await expect.element(page.getByText('Sent just now')).toBeVisible()
  await expect.element(page.getByText('It is no UTF-8 text now. Save it as UTF-8.')).toBeVisible()
  await expect.element(page.getByText('c.yml')).not.toBeInTheDocument()
  await button('Send now').click()
  expect(asked('external-editor.send')).toEqual([{ id: 'b', overwrite: false }])
  await button('Show “a.yml” in its folder').click()
  expect(asked('external-editor.reveal')).toEqual([{ id: 'a' }])
})

it('asks about a file that was changed meanwhile, with both texts beside each other', async () => {
  all = [one('a', { kind: 'conflict', why: 'changed' })]
  await render(ExternalFilesBar, { server: ref })
  await button('Compare').click()
  await expect.element(page.getByText('Mine – saved in your editor')).toBeVisible()
  await expect.element(page.getByText('theirs: 1')).toBeVisible()
  await page
    .getByRole('region', { name: 'Your copy and the server’s: “a.yml”' })
    .getByRole('button', { name: 'Save mine' })
    .click()
  expect(asked('external-editor.send')).toEqual([{ id: 'a', overwrite: true }])
  way.send('external-files', [one('a', { kind: 'watched' })])
  await expect.element(page.getByText('Mine – saved in your editor')).not.toBeInTheDocument()
})

it('says so where the server’s file is no text by now', async () => {
  all = [one('a', { kind: 'conflict', why: 'changed' })]
  way.answer('files.read-text', ({ path }) => ({
    ok: true,
    value: { path, size: 9, modifiedAt: null, etag: '"1"', content: { kind: 'binary' } },
  }))
  await render(ExternalFilesBar, { server: ref })
  await button('Compare').click()
  await expect
    .element(page.getByText('The server’s file is too large to compare now, or not a text.'))
    .toBeVisible()
})

it('says where a copy lies that was not sent', async () => {
  all = [one('a', { kind: 'conflict', why: 'changed' })]
  await render(ExternalFilesBar, { server: ref })
  await button('Use theirs').click()
  await expect.poll(() => asked('external-editor.stop')).toEqual([{ id: 'a' }])
  await expect.poll(() => notices().map(({ more }) => more?.())).toEqual(['/home/ann/Downloads/a.yml'])
})

it('a file that was deleted is created again only when somebody says so', async () => {
  all = [one('a', { kind: 'conflict', why: 'deleted' })]
  await render(ExternalFilesBar, { server: ref })
  await expect.element(page.getByText('Deleted on the server since')).toBeVisible()
  await button('Create it again').click()
  expect(asked('external-editor.send')).toEqual([{ id: 'a', overwrite: true }])
})
