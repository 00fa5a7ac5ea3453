import { z } from 'zod'
import { FailureReason } from '../../contract/declarations/errors.ts'
import { inServer, staged, Step, trashed } from './step.ts'

/** Written before steps named both ends. */
const FormerStep = z
  .object({
    ...{ kind: z.enum(['in', 'out', 'move', 'back']), mark: z.string(), size: z.number() },
    ...{ path: z.string().default(''), staged: z.string().default(''), trash: z.string().default('') },
    ...{ from: z.string().default(''), to: z.string().default('') },
  })
  .transform(({ kind, mark, size, ...at }): Step => {
    const ends = {
      in: { from: staged(at.staged), to: inServer(at.path) },
      out: { from: inServer(at.path), to: trashed(at.trash) },
      move: { from: inServer(at.from), to: inServer(at.to) },
      back: { from: trashed(at.trash), to: inServer(at.path) },
    }
    return { ...ends[kind], mark, size }
  })

export const Items = z.array(
  z.object({
    name: z.string(),
    from: z.string().nullable(),
    to: z.string().nullable(),
    did: z.enum(['added', 'replaced', 'removed', 'switched']).optional(),
  }),
)
export type Items = z.output<typeof Items>

/** Done or reverted as a whole. */
export const Change = z.object({
  id: z.string(),
  at: z.number(),
  items: Items,
  steps: z.array(z.union([Step, FormerStep])),
  undoes: z.array(z.string()).optional(),
  /** Only this item of what it undoes. */
  part: z.number().optional(),
})
export type Change = z.output<typeof Change>

const State = z.object({
  pinned: z.array(z.string()),
  /** Pending changes in order. The first may be half done. */
  waiting: z.array(Change),
  /** The first one failed and is being reverted. */
  goesBack: z.boolean(),
  last: Change.nullable(),
  /** Done, but not tried by a successful start yet; newest last. */
  untried: z.array(Change),
  /** Of the latest request. `items`: dropped pending items; `unfinished`: half done and not reverted yet. */
  error: FailureReason.extend({
    at: z.number(),
    items: Items.optional(),
    unfinished: z.boolean().optional(),
  }).nullable(),
  firstRun: z.enum(['none', 'begun', 'well', 'crashed']),
})
export type State = z.output<typeof State>

/** State written before several changes could be undone together. */
export const KeptState = State.omit({ untried: true })
  .extend({ untried: z.array(Change).optional() })
  .transform((state): State => {
    const { last, firstRun, untried = last && firstRun !== 'well' ? [last] : [] } = state
    return { ...state, untried }
  })
