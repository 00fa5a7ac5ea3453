import { describe, expect, it } from 'vitest'
import { TreeView } from './tree-view.svelte.ts'

const GOOD = 'a: 1\nlist: [1, 2]\nb: 2\n'
const BROKEN = GOOD.replace(']', '')

async function viewOf(saved: string, now = saved) {
  const text = { saved, now, plain: () => text.now, savedPlain: () => text.saved, change: () => undefined }
  const view = new TreeView('yaml', text, () => true)
  await view.load()
  const changed = () => view.rows.filter((row) => row.changed).map((row) => row.id)
  return { text, view, changed }
}

describe('what is marked as changed', () => {
  it('is only what differs from the last text that could be parsed, once a saved text is repaired', async () => {
    const { text, view, changed } = await viewOf(GOOD)
    text.now = BROKEN
    view.take()
    text.saved = BROKEN
    view.take()
    text.now = GOOD.replace('b: 2', 'b: 3')
    view.take()
    expect(changed()).toEqual(['/b'])
  })

  it('is nothing of a file that was broken when it was opened, until more than its syntax changes', async () => {
    const { text, view, changed } = await viewOf(BROKEN)
    text.now = GOOD
    view.take()
    expect(changed()).toEqual([])
    text.now = GOOD.replace('a: 1', 'a: 7')
    view.take()
    expect(changed()).toEqual(['/a'])
  })
})
