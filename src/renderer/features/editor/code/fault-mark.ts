import { type EditorState, type Extension, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view'

/** Offset of what the parser refuses, or null. */
export const setFault = StateEffect.define<number | null>()

const mark = Decoration.mark({ class: 'cm-fault' })

/** The rest of the line from there, or the whole line where nothing is left of it. */
function marked(state: EditorState, at: number): DecorationSet {
  const { doc } = state
  let line = doc.lineAt(Math.min(at, doc.length))
  while (line.length === 0 && line.number > 1) line = doc.line(line.number - 1)
  const from = Math.max(at, line.from) < line.to ? Math.max(at, line.from) : line.from
  return from < line.to ? Decoration.set(mark.range(from, line.to)) : Decoration.none
}

const field = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(before, transaction) {
    let now = before.map(transaction.changes)
    for (const effect of transaction.effects) {
      if (!effect.is(setFault)) continue
      now = effect.value === null ? Decoration.none : marked(transaction.state, effect.value)
    }
    return now
  },
  provide: (from) => EditorView.decorations.from(from),
})

export const faultMark: Extension = [
  field,
  EditorView.baseTheme({
    '.cm-fault': { textDecoration: 'underline wavy var(--danger)', textUnderlineOffset: '3px' },
  }),
]
