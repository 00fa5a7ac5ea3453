import { afterEach, describe, expect, it } from 'vitest'
import { render } from 'vitest-browser-svelte'
import type { ViewId } from '../../contract/areas/index.ts'
import { viewOperations } from '../../contract/bridge/passed.ts'
import { AT_SERVER, type ProblemCode } from '../../contract/bridge/problem.ts'
import type { ProblemData } from '../core/bridge.ts'
import { useLanguage } from '../messages/t.svelte.ts'
import Failed from '../ui/feedback/Failed.svelte'

afterEach(() => useLanguage('en'))

/** The classes of the specification's errors (its section 7) that a read can be answered with. */
const classes = [
  'signed-out',
  'forbidden',
  'not-found',
  'invalid',
  'unavailable',
  'incompatible',
  'rate-limited',
  'service-failed',
  'offline',
] as const satisfies readonly ProblemCode[]

const views = [...viewOperations.values()].map(({ id, path }) => ({
  id: id as ViewId,
  ofServer: path.includes(':serverId'),
}))

const problemOf = (code: ProblemCode, { id, ofServer }: (typeof views)[number]): ProblemData => ({
  code,
  message: '',
  retryable: false,
  ...(code === 'unavailable' && { detail: id }),
  ...(code === 'forbidden' && ofServer && { detail: AT_SERVER }),
})

describe.each(['en', 'de'] as const)('in %s', (language) => {
  it.each(views.flatMap((view) => classes.map((code) => ({ ...view, code }))))(
    '$id that fails as $code says what happened, and what to do about it',
    async ({ code, ...view }) => {
      await useLanguage(language)
      const { container, getByRole, unmount } = await render(Failed, {
        problem: problemOf(code, view),
        retry: () => undefined,
      })
      const text = container.textContent
      expect(text).not.toMatch(/\{\w+\}/)
      // A thing that is not offered has a name.
      expect(text).not.toMatch(/does not offer this|bietet das nicht an(?!:)/)
      // Nothing was entered, and nothing is marked.
      expect(text).not.toMatch(/you entered|Eingaben|marked|markiert/)
      if (!view.ofServer) expect(text).not.toMatch(/owner of the server|Besitzer des Servers/)
      expect(getByRole('button').elements().length).toBeGreaterThan(1)
      await unmount()
    },
  )
})
