import { beforeEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import '../../../app/theme.css'
import { MORE_LOST } from '../../../../contract/bridge/problem.ts'
import { Deletions, type SaveChoice } from './deletions.svelte.ts'
import DeletionDialog from '../dialogs/DeletionDialog.svelte'
import { FilesMain, server } from '../files-main.fixture.ts'

let main: FilesMain
beforeEach(() => {
  main = new FilesMain()
  main.hasTrash = false
  window.panel = main
})

/** Asks about so many files, and shows the question. */
async function ask(count: number) {
  const deletions = new Deletions(server)
  const paths = Array.from({ length: count }, (_, n) => `world/${n}.dat`)
  const agreed = deletions.agree(paths)
  await expect.poll(() => deletions.question).not.toBeNull()
  const { question } = deletions
  if (question) await render(DeletionDialog, { question })
  return { deletions, paths, agreed, dialog: page.getByRole('dialog') }
}

describe('the question before a deletion for good', () => {
  it('of more than can be kept says which are and which are not, and it is done so', async () => {
    const { deletions, paths, agreed, dialog } = await ask(2500)
    await expect.element(dialog).toMatchTextContent(/1,000 files are kept on this computer first/)
    await expect
      .element(dialog)
      .toMatchTextContent(
        /Only the first 1,000 items in the list can be kept, up to “999\.dat”\. Deleting the 1,500 items after it cannot be undone\./,
      )
    // They are neither too large nor unreadable.
    expect(dialog.getByRole('listitem').query()).toBeNull()
    await page.getByRole('button', { name: 'Delete permanently' }).click()
    expect(await agreed).toEqual({ keep: 'all', question: 'q' })
    await deletions.send(paths, { keep: 'all', question: 'q' })
    expect(main.inputs('files.remove')).toMatchObject([
      { keep: 'all', question: 'q', paths: paths.slice(0, 1000) },
      { keep: 'none', paths: paths.slice(1000, 2000) },
      { keep: 'none', paths: paths.slice(2000) },
    ])
  })

  it('is asked again, and nothing is deleted until it is answered, where more would be lost by then', async () => {
    const { deletions, paths, agreed } = await ask(2)
    deletions.question?.answer(true)
    const keep = (await agreed) as SaveChoice
    const problem = { code: 'changed', message: 'No.', retryable: false, serviceCode: MORE_LOST } as const
    for (const answer of [false, true]) {
      main.answer('files.remove', () => ({ ok: false, problem }))
      main.lost = { lost: ['world/new.dat'], lostCount: 1 }
      const sent = deletions.send(paths, keep)
      await expect.poll(() => deletions.question?.lost).toEqual(['world/new.dat'])
      main.answer('files.remove', ({ paths: some }) => ({
        ok: true,
        value: {
          results: some.map((path) => ({ path, outcome: 'done' as const })),
          trash: [],
          kept: { ids: [], folders: [] },
        },
      }))
      deletions.question?.answer(answer)
      expect((await sent).results).toHaveLength(answer ? 2 : 0)
    }
  })

  it('comes where the trash has gone since it was seen, and what was deleted before is not asked about', async () => {
    main.hasTrash = true
    const deletions = new Deletions(server)
    const paths = Array.from({ length: 2500 }, (_, n) => `world/${n}.dat`)
    const agreed = (await deletions.agree(paths)) as SaveChoice
    expect(agreed).toEqual({ keep: 'texts' })
    const entry = { id: 't', path: 'world/0.dat', kind: 'file' } as const
    main.answer('files.remove', ({ paths: some, keep }) => {
      const results = some.map((path) => ({ path, outcome: 'done' as const }))
      if (keep !== 'texts' || some[0] === paths[0])
        return { ok: true, value: { results, trash: [entry], kept: { ids: [], folders: [] } } }
      main.hasTrash = false
      return {
        ok: false,
        problem: { code: 'changed', message: 'No.', retryable: false, serviceCode: MORE_LOST },
      }
    })
    const sent = deletions.send(paths, agreed)
    await expect.poll(() => deletions.question?.paths).toEqual(paths.slice(1000))
    expect(deletions.question?.part).toEqual({ first: 1000, last: 'world/1999.dat', after: 500 })
    deletions.question?.answer(true)
    expect((await sent).results).toHaveLength(2500)
    expect(main.inputs('files.remove')).toMatchObject([
      { keep: 'texts' },
      { keep: 'texts' },
      { keep: 'all', question: 'q', paths: paths.slice(1000, 2000) },
      { keep: 'none', paths: paths.slice(2000) },
    ])
  })

  it('is not asked for without an end where a service says now so and now so', async () => {
    main.hasTrash = true
    const deletions = new Deletions(server)
    const agreed = (await deletions.agree(['a'])) as SaveChoice
    main.answer('files.remove', () => ({
      ok: false,
      problem: { code: 'changed', message: 'No.', retryable: false, serviceCode: MORE_LOST },
    }))
    await expect(deletions.send(['a'], agreed)).rejects.toMatchObject({ code: 'changed' })
    expect(main.inputs('files.remove').length).toBeLessThan(10)
  })

  it('names apart what of the first cannot be kept', async () => {
    main.lost = { lost: ['world/7.dat'], lostCount: 1 }
    const { agreed, dialog } = await ask(1001)
    await expect
      .element(dialog)
      .toMatchTextContent(/up to “999\.dat”\. Deleting the one after it cannot be undone\./)
    await expect.element(dialog).toMatchTextContent(/not kept, cannot be undone\s*world\/7\.dat/)
    await expect.element(dialog).not.toMatchTextContent(/And \d+ more/)
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(await agreed).toBeNull()
  })

  it('of what can all be kept says nothing of the sort', async () => {
    const { agreed, dialog } = await ask(1000)
    await expect.element(dialog).toMatchTextContent(/1,000 files are kept/)
    await expect.element(dialog).not.toMatchTextContent(/Only the first/)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await agreed
  })
})
