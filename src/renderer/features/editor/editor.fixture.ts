import { afterEach, beforeEach, expect } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { page, userEvent } from 'vitest/browser'
import '../../app/theme.css'
import type { CallInput } from '../../core/bridge.ts'
import type { Draft } from '../../../contract/bridge/values.ts'
import type { ProblemCode } from '../../../contract/bridge/problem.ts'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import Editor from './Editor.svelte'

export const server = { connectionId: 'c', serverId: 's' }
export const path = 'plugins/config.yml'
const refused = (code: ProblemCode) => ({
  ok: false as const,
  problem: { code, message: 'no', retryable: false },
})

interface EditedFile {
  disk: { text: string; version: number } | null
  /** Whether the service gives entity tags. */
  tags: boolean
  broken: ProblemCode | null
  written: CallInput<'files.write-text'>[]
  closed: number
  atMain: Draft | null
}
const fresh = (): EditedFile => ({
  disk: { text: 'motd: hello\r\nport: 1\r\n', version: 1 },
  tags: true,
  broken: null,
  written: [],
  closed: 0,
  atMain: null,
})
/** A file at a service, and what people do to it meanwhile; each test begins with a new one. */
export const at = fresh()

const etag = () => (at.tags && at.disk ? `"${at.disk.version}"` : null)

beforeEach(() => {
  sessionStorage.clear()
  // How another file was shown last.
  localStorage.removeItem('editor-shown-as')
  location.hash = '#/'
  Object.assign(at, fresh())
  window.panel = new ScriptedBridge({
    'files.read-text': () =>
      at.disk
        ? {
            ok: true,
            value: {
              path,
              size: at.disk.text.length,
              modifiedAt: null,
              etag: etag(),
              content: { kind: 'text', text: at.disk.text },
            },
          }
        : refused('not-found'),
    'files.write-text': (input) => {
      at.written.push(input)
      if (at.broken) return refused(at.broken)
      if (input.base.kind === 'create' ? at.disk : !at.disk)
        return refused(at.disk ? 'conflict' : 'not-found')
      if (input.base.kind === 'etag' && input.base.etag !== etag()) return refused('changed')
      at.disk = { text: input.text, version: (at.disk?.version ?? 0) + 1 }
      return { ok: true, value: { etag: etag(), running: false } }
    },
    'files.former': () => ({
      ok: true,
      value: [{ id: 'f1', path, size: 9, at: '2026-01-01T10:00:00Z', because: 'saved' }],
    }),
    'files.draft': () => ({ ok: true, value: at.atMain }),
    'files.keep-draft': ({ text, etag, at: when }) => {
      if (at.broken === 'offline') return refused(at.broken)
      at.atMain = { text, etag, at: when }
      return { ok: true, value: undefined }
    },
    'files.discard-draft': () => {
      at.atMain = null
      return { ok: true, value: undefined }
    },
    'files.former-text': () => ({ ok: true, value: { text: 'motd: before\n' } }),
  })
})
afterEach(() => {
  sessionStorage.clear()
  location.hash = '#/'
})

export const text = () => page.getByRole('textbox', { name: 'Text of config.yml' })
export const button = (name: string) => page.getByRole('button', { name, exact: true })
export const dialog = (name: string) => page.getByRole('dialog', { name })

export async function open() {
  const shown = await render(Editor, { ...server, path, close: () => (at.closed += 1) })
  await expect.element(text()).toBeVisible()
  // It fills what it is put into.
  for (let box = shown.container; box !== document.documentElement; box = box.parentElement!)
    box.style.height = '600px'
  return shown
}
/** At the start of the text. Not by the pointer: what it selects can come after the first keys. */
export async function typeAtStart(keys: string): Promise<void> {
  ;(text().element() as HTMLElement).focus()
  await userEvent.keyboard(`{Control>}{Home}{/Control}${keys}`)
}
export async function type(words: string): Promise<void> {
  await typeAtStart(words)
  await expect.element(page.getByText('Unsaved', { exact: true })).toBeVisible()
}
export const save = () => userEvent.keyboard('{Control>}s{/Control}')
export const isSaved = () => expect.element(page.getByRole('status')).toMatchTextContent(/Saved \d/)
