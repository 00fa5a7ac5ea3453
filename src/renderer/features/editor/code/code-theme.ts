import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { IS_NARROW } from '../../../ui/base/wide.ts'

// Code colors; each has a contrast of at least 4.5:1 in its theme.
const blue = 'light-dark(#1a4fa3, #7ba8f5)'
const green = 'light-dark(#1b6e2d, #7ccb83)'
const violet = 'light-dark(#84309f, #cf97ee)'
const teal = 'light-dark(#0b6470, #58c6d0)'
const amber = 'light-dark(#7d5800, #dcae45)'
const red = 'light-dark(#a32017, #f0736a)'

const colors = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName), tags.tagName, tags.heading], color: blue },
  { tag: tags.definition(tags.variableName), color: blue },
  { tag: [tags.string, tags.special(tags.string), tags.attributeValue, tags.quote], color: green },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: violet },
  { tag: [tags.attributeName, tags.meta, tags.typeName, tags.labelName], color: teal },
  { tag: [tags.keyword, tags.escape, tags.processingInstruction], color: amber },
  { tag: [tags.comment, tags.lineComment, tags.blockComment], color: 'var(--faint)', fontStyle: 'italic' },
  { tag: [tags.punctuation, tags.separator, tags.bracket, tags.angleBracket], color: 'var(--muted)' },
  { tag: tags.invalid, color: red },
])

const looks = EditorView.theme({
  '&': {
    height: '100%',
    color: 'var(--console-text)',
    backgroundColor: 'var(--console)',
    fontSize: '0.8125rem',
  },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--font-mono)',
    lineHeight: '1.25rem',
    fontVariantLigatures: 'none',
  },
  '.cm-content': { padding: '0.5rem 0', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0 0.75rem 0 0.5rem' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--text)', borderLeftWidth: '2px' },
  '.cm-gutters': {
    color: 'var(--faint)',
    backgroundColor: 'var(--console)',
    border: 'none',
    userSelect: 'none',
  },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 0.375rem 0 0.875rem', minWidth: '2.75rem' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--hover) 55%, transparent)' },
  '.cm-activeLineGutter': { color: 'var(--text)', backgroundColor: 'transparent' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 26%, transparent)',
  },
  '.cm-selectionMatch': { backgroundColor: 'color-mix(in srgb, var(--accent) 16%, transparent)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--accent-soft)', outline: 'none' },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'var(--danger-soft)' },
  '.cm-searchMatch': { backgroundColor: 'light-dark(#ffe08a, #5c4a12)' },
  '.cm-searchMatch-selected': { backgroundColor: 'light-dark(#ffb454, #94660f)' },
  '.cm-searchMatch, .cm-searchMatch span': { color: 'var(--text)' },
  '.cm-specialChar': { color: 'var(--danger-text)' },
  '.cm-panels': { color: 'var(--text)', backgroundColor: 'var(--surface)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
})

const searchLooks = EditorView.theme({
  // Replace fields, and options if narrow, get their own line, so nothing is torn apart.
  '.cm-panel.cm-search': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '0.1875rem 0.375rem',
    padding: '0.375rem 2.75rem 0.375rem 1.5rem',
    fontFamily: 'var(--font-sans)',
  },
  '.cm-panel.cm-search br': { display: 'none' },
  '.cm-panel.cm-search:after': { content: '""', order: '3', flexBasis: '100%' },
  '.cm-panel.cm-search [name=replace], .cm-panel.cm-search [name=replaceAll]': { order: '4' },
  [`@media ${IS_NARROW}`]: {
    '.cm-panel.cm-search': { paddingLeft: '1rem' },
    '.cm-panel.cm-search:before': { content: '""', order: '1', flexBasis: '100%' },
  },
  '.cm-panel.cm-search input, .cm-panel.cm-search button, .cm-panel.cm-search label': { margin: '0' },
  '.cm-panel.cm-search .cm-textfield': {
    width: '12.5rem',
    height: '1.75rem',
    padding: '0 0.5rem',
    color: 'var(--text)',
    backgroundColor: 'var(--raised)',
    border: '1px solid var(--line-strong)',
    borderRadius: '0.375rem',
    fontSize: '0.8125rem',
  },
  '.cm-panel.cm-search .cm-button': {
    height: '1.75rem',
    padding: '0 0.625rem',
    color: 'var(--text)',
    backgroundColor: 'var(--raised)',
    backgroundImage: 'none',
    border: '1px solid var(--line-strong)',
    borderRadius: '0.375rem',
    fontSize: '0.8125rem',
  },
  '.cm-panel.cm-search .cm-button:hover': { backgroundColor: 'var(--hover)' },
  '.cm-panel.cm-search label': {
    order: '2',
    display: 'inline-flex',
    alignItems: 'center',
    gap: '0.25rem',
    marginRight: '0.375rem',
    color: 'var(--muted)',
    fontSize: '0.75rem',
  },
  '.cm-panel.cm-search input[type=checkbox]': { accentColor: 'var(--accent)' },
  '.cm-panel.cm-search [name=close]': {
    top: '0.375rem',
    right: '0.5rem',
    width: '1.75rem',
    height: '1.75rem',
    color: 'var(--muted)',
    fontSize: '1.125rem',
    borderRadius: '0.375rem',
  },
  '.cm-panel.cm-search [name=close]:hover': { backgroundColor: 'var(--hover)', color: 'var(--text)' },
})

const compareLooks = EditorView.theme({
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { backgroundColor: 'var(--danger-soft)' },
  '&.cm-merge-b .cm-changedLine': { backgroundColor: 'var(--accent-soft)' },
  '&.cm-merge-a .cm-changedText': {
    // Underline: a background would reduce the contrast of colored text.
    background: 'none',
    boxShadow: 'inset 0 -2px 0 var(--danger)',
  },
  '&.cm-merge-b .cm-changedText': {
    background: 'none',
    boxShadow: 'inset 0 -2px 0 var(--accent)',
  },
  '&.cm-merge-a .cm-changedLineGutter': { background: 'var(--danger)' },
  '&.cm-merge-b .cm-changedLineGutter': { background: 'var(--accent)' },
  '.cm-collapsedLines': {
    padding: '0.125rem 0.75rem',
    color: 'var(--muted)',
    background: 'var(--hover)',
    fontFamily: 'var(--font-sans)',
    fontSize: '0.75rem',
  },
  // Glyphs that the panel's fonts lack.
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: 'none' },
})

/** Both themes are covered by tokens and pairs. Rules go into a style element, which the page's CSP allows. */
export const codeTheme: Extension = [looks, searchLooks, compareLooks, syntaxHighlighting(colors)]
