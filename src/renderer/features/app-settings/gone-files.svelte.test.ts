import { expect, it } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { page } from 'vitest/browser'
import type { ExternalFile } from '../../../contract/bridge/external-editor-calls.ts'
import '../../app/theme.css'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import { notices } from '../../ui/feedback/notices.svelte.ts'
import GoneFiles from './GoneFiles.svelte'

const one = (id: string, isGone: boolean): ExternalFile => ({
  connectionId: 'c',
  serverId: 's',
  id,
  path: `plugins/${id}.yml`,
  isGone,
  sentAt: null,
  state: { kind: 'watched' },
})
const button = (name: string) => page.getByRole('button', { name })

it('a file whose server is gone can be kept or removed', async () => {
  const way = new ScriptedBridge({
    'external-editor.list': () => ({ ok: true, value: [one('a', false), one('b', true)] }),
    'external-editor.stop': () => ({ ok: true, value: { keptAt: '/home/ann/Downloads/b.yml' } }),
  })
  window.panel = way
  const asked = () =>
    way.called.filter(({ name }) => name === 'external-editor.stop').map(({ input }) => input)
  await render(GoneFiles)
  await expect.element(page.getByText('b.yml')).toBeVisible()
  await expect.element(page.getByText('a.yml')).not.toBeInTheDocument()
  await button('Save a copy of “b.yml”').click()
  await expect.poll(() => asked()).toEqual([{ id: 'b', keep: true }])
  await expect.poll(() => notices().at(-1)?.more?.()).toBe('/home/ann/Downloads/b.yml')
  await button('Remove “b.yml” from this computer').click()
  await expect.poll(() => asked().at(-1)).toEqual({ id: 'b' })
})
