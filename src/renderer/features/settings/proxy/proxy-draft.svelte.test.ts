import { beforeEach, describe, expect, it } from 'vitest'
import { ScriptedBridge } from '../../../core/scripted-bridge.fixture.ts'
import { ProxyDraft } from './proxy-draft.svelte.ts'

/** The file at the service; its text is its entity tag. */
let text: string
/** What lets the next answer of a kind out; without one it comes at once. */
let held: { read?: Promise<unknown>; write?: Promise<unknown> }

beforeEach(() => {
  text = 'player-info-forwarding-mode = "none"\n[servers]\na = "127.0.0.1:1"\ntry = ["a"]\n'
  held = {}
  window.panel = new ScriptedBridge({
    'files.read-text': async ({ path }) => {
      const now = text
      await held.read
      const content = { kind: 'text' as const, text: now }
      return { ok: true, value: { path, size: now.length, modifiedAt: null, etag: now, content } }
    },
    'files.write-text': async (input) => {
      if (input.base.kind !== 'etag' || input.base.etag !== text)
        return { ok: false, problem: { code: 'changed', message: '', retryable: false } }
      ;({ text } = input)
      await held.write
      return { ok: true, value: { etag: text, running: false } }
    },
  })
})

async function opened(): Promise<ProxyDraft> {
  const draft = new ProxyDraft({ connectionId: 'c', serverId: 'p' })
  await draft.load()
  return draft
}

describe('what is typed while a save is under way', () => {
  it('is a change of what was saved, and nobody else’s', async () => {
    const draft = await opened()
    const answer = Promise.withResolvers<void>()
    held.write = answer.promise
    draft.setServer('a', '127.0.0.1:2')
    const saving = draft.save()
    draft.setServer('a', '127.0.0.1:23')
    answer.resolve()
    expect(await saving).toBe(true)
    expect(draft.conflicts).toEqual([])
    expect(draft.servers).toEqual([{ name: 'a', address: '127.0.0.1:23' }])
    expect(await draft.save()).toBe(true)
    expect(text).toContain('a = "127.0.0.1:23"')
    expect(draft.dirty).toBe(false)
  })

  it('counts too where it goes back to what was there before', async () => {
    const draft = await opened()
    const answer = Promise.withResolvers<void>()
    held.write = answer.promise
    draft.setServer('a', '127.0.0.1:2')
    const saving = draft.save()
    draft.setServer('a', '127.0.0.1:1')
    answer.resolve()
    await saving
    expect(draft.servers).toEqual([{ name: 'a', address: '127.0.0.1:1' }])
    expect(draft.changes.size).toBe(1)
  })
})

it('what was read before a save takes nothing back that was saved', async () => {
  const draft = await opened()
  const answer = Promise.withResolvers<void>()
  held.read = answer.promise
  const reading = draft.load()
  delete held.read
  draft.setServer('a', '127.0.0.1:2')
  expect(await draft.save()).toBe(true)
  answer.resolve()
  await reading
  expect(draft.servers).toEqual([{ name: 'a', address: '127.0.0.1:2' }])
  draft.setServer('a', '127.0.0.1:3')
  expect(await draft.save()).toBe(true)
  expect(text).toContain('a = "127.0.0.1:3"')
})
