export const externalEditorSentences = {
  'external-editor.not-opened':
    '“{name}” is not opened in an editor of this computer: only plain texts with endings such as .txt, .yml, .json or .properties are. Edit it here, or download it.',
  'external-editor.too-large':
    '“{name}” is too large for this: texts of up to {most:bytes} are sent back. Download it, and upload it again.',
  'external-editor.no-text': '“{name}” is no UTF-8 text now, so it was not sent. Save it as UTF-8.',
  'external-editor.no-editor':
    'The system did not open “{name}”: {why} Choose a program for this kind of file in your system, or show the file in its folder.',
  'external-editor.too-many':
    'You edit {most} files outside of Wheelhouse already. Stop editing one of them first.',
  'external-editor.too-many-left':
    '{count} files were left from servers that are gone. Save a copy of some, or remove them, in App settings.',
  'external-editor.read-only':
    'You may only read this file. Ask the owner of the server for the permission to change files.',
  'external-editor.gone': '“{name}” is no longer on this computer. Open it again.',
  'external-editor.stopped': 'This file is no longer edited outside. Open it again.',
  'external-editor.kept-aside':
    'You signed out before your last changes to “{name}” were sent. They are in {path}.',
  'external-editor.found-one':
    'You saved “{name}” in your editor, and it was not sent. It waits below the files of its server.',
  'external-editor.found-some':
    'You saved {count} files in your editor, and they were not sent. They wait below the files of their servers.',
} as const
