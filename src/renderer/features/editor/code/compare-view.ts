import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { search, searchKeymap } from '@codemirror/search'
import { goToNextChunk, goToPreviousChunk, MergeView } from '@codemirror/merge'
import { Compartment, EditorState, Text, type Extension } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { codeBasics, wordsOf } from './code-editor.ts'
import { lineEndsOf, separatorOf, splitLines } from './line-ends.ts'

export interface CompareOptions {
  path: string
  left: string
  right: string
  leftLabel: string
  rightLabel: string
  editable: boolean
  takeLabel: string
}

export class CompareView {
  readonly #view: MergeView
  readonly #separator: string

  constructor(parent: HTMLElement, options: CompareOptions) {
    this.#separator = separatorOf(lineEndsOf(options.right))
    this.#view = new MergeView({
      parent,
      a: side(options.path, options.left, options.leftLabel, false),
      b: side(options.path, options.right, options.rightLabel, options.editable),
      revertControls: options.editable ? 'a-to-b' : undefined,
      renderRevertControl: () => takeButton(options.takeLabel),
      collapseUnchanged: { margin: 3, minSize: 6 },
      // Compare very different texts roughly instead of for minutes.
      diffConfig: { scanLimit: 1000, timeout: 500 },
    })
  }

  text(): string {
    const { doc } = this.#view.b.state
    return doc.sliceString(0, doc.length, this.#separator)
  }

  get differences(): number {
    return this.#view.chunks.length
  }

  go(to: 'next' | 'previous'): void {
    const { b } = this.#view
    b.focus()
    const command = to === 'next' ? goToNextChunk : goToPreviousChunk
    command({ state: b.state, dispatch: (transaction) => b.dispatch(transaction) })
  }

  destroy(): void {
    this.#view.destroy()
  }
}

function side(path: string, text: string, label: string, editable: boolean) {
  const language = new Compartment()
  let view: EditorView | null = null
  let loaded: Extension | null = null
  const use = (extension: Extension) => {
    loaded = extension
    view?.dispatch({ effects: language.reconfigure(extension) })
  }
  return {
    doc: Text.of(splitLines(text, lineEndsOf(text))),
    extensions: [
      codeBasics(path, use),
      language.of([]),
      EditorView.lineWrapping,
      wordsOf({ label }),
      EditorView.contentAttributes.of({ tabindex: '0' }),
      EditorState.readOnly.of(!editable),
      editable ? history() : [],
      search({ top: true }),
      keymap.of([...defaultKeymap, ...searchKeymap, ...historyKeymap]),
      EditorView.updateListener.of((update) => {
        if (view) return
        ;({ view } = update)
        if (loaded) queueMicrotask(() => use(loaded as Extension))
      }),
    ],
  }
}

function takeButton(label: string): HTMLElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = '→'
  button.title = label
  button.setAttribute('aria-label', label)
  return button
}
