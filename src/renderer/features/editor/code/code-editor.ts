import {
  defaultKeymap,
  history,
  historyKeymap,
  indentWithTab,
  isolateHistory,
  redo,
  undo,
} from '@codemirror/commands'
import { bracketMatching, indentOnInput } from '@codemirror/language'
import {
  closeSearchPanel,
  highlightSelectionMatches,
  openSearchPanel,
  search,
  searchKeymap,
  searchPanelOpen,
} from '@codemirror/search'
import { Compartment, EditorState, Text, Transaction, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { codeTheme } from './code-theme.ts'
import { faultMark, setFault } from './fault-mark.ts'
import { languageOf, loadLanguage } from './languages.ts'
import { lineEndsOf, separatorOf, splitLines, type LineEnds } from './line-ends.ts'
import { phrases } from './phrases.ts'

export interface CodeOptions {
  text: string
  path: string
  label: string
  description: string
  readOnly: boolean
  wrap: boolean
  /** After every change; `dirty`: differs from the saved text. */
  onchange: (dirty: boolean) => void
  oncursor: (line: number, column: number) => void
}

export function codeBasics(path: string, ready: (language: Extension) => void): Extension {
  loadLanguage(languageOf(path)).then(ready, () => undefined)
  return [
    lineNumbers(),
    highlightSpecialChars(),
    drawSelection(),
    bracketMatching(),
    EditorState.tabSize.of(4),
    codeTheme,
  ]
}

export function wordsOf({ label, description }: { label: string; description?: string }): Extension {
  return [
    EditorState.phrases.of(phrases()),
    EditorView.contentAttributes.of({
      'aria-label': label,
      ...(description === undefined ? {} : { 'aria-description': description }),
    }),
  ]
}

export class CodeEditor {
  readonly #view: EditorView
  readonly #readOnly = new Compartment()
  readonly #wrap = new Compartment()
  readonly #words = new Compartment()
  #ends: LineEnds
  #saved: Text
  #onchange: (dirty: boolean) => void

  constructor(parent: HTMLElement, options: CodeOptions) {
    const language = new Compartment()
    this.#ends = lineEndsOf(options.text)
    this.#saved = Text.of(splitLines(options.text, this.#ends))
    this.#onchange = options.onchange
    this.#view = new EditorView({
      parent,
      state: EditorState.create({
        doc: this.#saved,
        extensions: [
          codeBasics(options.path, (loaded) =>
            this.#view.dispatch({ effects: language.reconfigure(loaded) }),
          ),
          language.of([]),
          history(),
          indentOnInput(),
          highlightActiveLine(),
          highlightActiveLineGutter(),
          highlightSelectionMatches(),
          faultMark,
          search({ top: true }),
          keymap.of([...defaultKeymap, ...searchKeymap, ...historyKeymap, indentWithTab]),
          this.#readOnly.of(EditorState.readOnly.of(options.readOnly)),
          this.#wrap.of(options.wrap ? EditorView.lineWrapping : []),
          this.#words.of(wordsOf(options)),
          // Focusable without it, but some accessibility checkers don't know that.
          EditorView.contentAttributes.of({ tabindex: '0' }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) this.#changed()
            if (update.docChanged || update.selectionSet) {
              const at = update.state.selection.main.head
              const line = update.state.doc.lineAt(at)
              options.oncursor(line.number, at - line.from + 1)
            }
          }),
        ],
      }),
    })
  }

  get ends(): LineEnds {
    return this.#ends
  }

  /** The text with the file's own line ends. */
  text(): string {
    const { doc } = this.#view.state
    return doc.sliceString(0, doc.length, separatorOf(this.#ends))
  }

  replace(text: string): void {
    const { doc } = this.#view.state
    this.#ends = lineEndsOf(text)
    this.#view.dispatch({
      changes: { from: 0, to: doc.length, insert: Text.of(splitLines(text, this.#ends)) },
      annotations: Transaction.userEvent.of('replace'),
    })
  }

  /** The text with LF line ends; `change` counts offsets in it. */
  plain(): string {
    return this.#view.state.doc.toString()
  }

  savedPlain(): string {
    return this.#saved.toString()
  }

  change(changes: readonly { from: number; to: number; insert: string }[]): void {
    this.#view.dispatch({
      changes: changes.map(({ from, to, insert }) => ({ from, to, insert: Text.of(insert.split('\n')) })),
      annotations: [Transaction.userEvent.of('input'), isolateHistory.of('full')],
    })
  }

  undo(): void {
    undo(this.#view)
  }

  redo(): void {
    redo(this.#view)
  }

  goTo(offset: number): void {
    const at = Math.min(offset, this.#view.state.doc.length)
    this.#view.dispatch({
      selection: { anchor: at },
      effects: EditorView.scrollIntoView(at, { y: 'center' }),
    })
    this.#view.focus()
  }

  /** Remembers the current text. The returned function marks it as saved, whatever was typed meanwhile. */
  mark(): () => void {
    const { doc } = this.#view.state
    return () => {
      this.#saved = doc
      this.#changed()
    }
  }

  setReadOnly(readOnly: boolean): void {
    this.#view.dispatch({ effects: this.#readOnly.reconfigure(EditorState.readOnly.of(readOnly)) })
  }

  setWrap(wrap: boolean): void {
    this.#view.dispatch({ effects: this.#wrap.reconfigure(wrap ? EditorView.lineWrapping : []) })
  }

  setWords(words: Pick<CodeOptions, 'label' | 'description'>): void {
    this.#view.dispatch({ effects: this.#words.reconfigure(wordsOf(words)) })
    if (!searchPanelOpen(this.#view.state)) return
    // The search panel gets its labels at creation; what was typed is kept.
    const within = this.#view.hasFocus
    closeSearchPanel(this.#view)
    openSearchPanel(this.#view)
    if (within) this.#view.focus()
  }

  /** Underlines what the parser refuses. */
  markFault(at: number | null): void {
    this.#view.dispatch({ effects: setFault.of(at) })
  }

  openSearch(): void {
    openSearchPanel(this.#view)
  }

  goToLine(line: number): void {
    const { doc } = this.#view.state
    const at = doc.line(Math.min(Math.max(1, line), doc.lines)).from
    this.#view.dispatch({
      selection: { anchor: at },
      effects: EditorView.scrollIntoView(at, { y: 'center' }),
    })
  }

  focus(): void {
    this.#view.focus()
  }

  destroy(): void {
    this.#view.destroy()
  }

  #changed(): void {
    this.#onchange(!this.#view.state.doc.eq(this.#saved))
  }
}
