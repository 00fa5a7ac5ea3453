import { isChord } from '../../../core/keys.ts'
import type { SelectionMode } from '../../../ui/list/selection.svelte.ts'

export type KeyAction =
  | { do: 'move'; by: 'row' | 'page' | 'end'; back: boolean; reach: SelectionMode | 'point' }
  | { do: 'type'; letter: string }
  | {
      do:
        | 'open'
        | 'up'
        | 'rename'
        | 'delete'
        | 'all'
        | 'none'
        | 'copy'
        | 'cut'
        | 'paste'
        | 'undo'
        | 'toggle'
        | 'filter'
        | 'path'
        | 'properties'
    }

const chords: Record<string, Exclude<KeyAction['do'], 'move' | 'type'>> = {
  a: 'all',
  c: 'copy',
  x: 'cut',
  v: 'paste',
  z: 'undo',
  f: 'filter',
  l: 'path',
}

const steps: Record<string, { by: 'row' | 'page' | 'end'; back: boolean }> = {
  ArrowDown: { by: 'row', back: false },
  ArrowUp: { by: 'row', back: true },
  PageDown: { by: 'page', back: false },
  PageUp: { by: 'page', back: true },
  End: { by: 'end', back: false },
  Home: { by: 'end', back: true },
}

export function keyAction(event: KeyboardEvent): KeyAction | null {
  const chord = isChord(event)
  if (event.altKey) {
    if (event.key === 'ArrowUp' || chord || event.metaKey) return null
    return event.key === 'Enter' ? { do: 'properties' } : null
  }
  const step = steps[event.key]
  if (step) {
    const range = chord ? 'add-range' : 'range'
    return { do: 'move', ...step, reach: event.shiftKey ? range : chord ? 'point' : 'only' }
  }
  if (event.key === ' ') return { do: 'toggle' }
  if (chord) {
    const known = event.shiftKey ? undefined : chords[event.key.toLowerCase()]
    return known ? { do: known } : null
  }
  switch (event.key) {
    case 'Enter':
      return { do: 'open' }
    case 'Backspace':
      return { do: 'up' }
    case 'F2':
      return { do: 'rename' }
    case 'Delete':
      return { do: 'delete' }
    case 'Escape':
      return { do: 'none' }
  }
  // These two are shortcuts of the window.
  const own = event.key !== '/' && event.key !== '?'
  return own && !event.ctrlKey && !event.metaKey && [...event.key].length === 1
    ? { do: 'type', letter: event.key }
    : null
}
