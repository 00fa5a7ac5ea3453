import type { ServerRef } from '../../../../contract/bridge/values.ts'

export type UndoStep =
  /** Original paths in the trash, by ID. */
  | { kind: 'delete'; trash: ReadonlyMap<string, string> }
  /** From where they are now to where they were. */
  | { kind: 'move'; items: readonly { from: string; to: string }[] }

/** Kept per window, so that a step can be undone after looking into a file. */
let steps = $state.raw<Readonly<Record<string, readonly UndoStep[]>>>({})
const MOST = 50

const keyOf = ({ connectionId, serverId }: ServerRef): string => `${connectionId}/${serverId}`
const stepsOf = (server: ServerRef): readonly UndoStep[] => steps[keyOf(server)] ?? []

function keep(server: ServerRef, next: readonly UndoStep[]): void {
  steps = { ...steps, [keyOf(server)]: next }
}

export const lastStep = (server: ServerRef): UndoStep | undefined => stepsOf(server).at(-1)

export function rememberStep(server: ServerRef, step: UndoStep): void {
  keep(server, [...stepsOf(server), step].slice(-MOST))
}

export function forgetStep(server: ServerRef, step: UndoStep): void {
  keep(
    server,
    stepsOf(server).filter((one) => one !== step),
  )
}

/** Whether any of these can still be restored. */
export const canRestore = (server: ServerRef, ids: readonly string[]): boolean =>
  stepsOf(server).some((step) => step.kind === 'delete' && ids.some((id) => step.trash.has(id)))

/** The trash has these no more; without `ids` it has nothing. */
export function forgetTrashed(server: ServerRef, ids?: readonly string[]): void {
  const left = stepsOf(server).flatMap((step): UndoStep[] => {
    if (step.kind !== 'delete') return [step]
    const trash = new Map([...step.trash].filter(([id]) => ids && !ids.includes(id)))
    if (trash.size === step.trash.size) return [step]
    return trash.size > 0 ? [{ kind: 'delete', trash }] : []
  })
  keep(server, left)
}
