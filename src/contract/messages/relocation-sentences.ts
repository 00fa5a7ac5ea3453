export const relocationSentences = {
  'relocation.same': 'A server can’t be moved into itself. Choose another one.',
  'relocation.one-machine':
    'Both are on one machine, and one folder may lie in the other. Keep the files there, or delete them yourself.',
  'relocation.no-server':
    'There is no server.properties, so this may be no server’s folder, and nothing is deleted. Keep the files, or delete them yourself.',
  'relocation.runs': '“{server}” is running. Stop it first.',
  'relocation.run-state': 'Whether “{server}” runs isn’t known. Make sure it’s stopped, then confirm it.',
  'relocation.busy': 'One of these servers is already being moved. Wait for it, or cancel it.',
  'relocation.nothing': 'The server has no files to move. Check its Files.',
  'relocation.too-large': 'The server has more than {most} files and folders, too many to be moved at once.',
  'relocation.no-room':
    'There isn’t enough room there: {needed:bytes} are needed, and {free:bytes} are free. Make room there first.',
  'relocation.not-deleted': '“{name}” couldn’t be deleted there. Delete it yourself, then try again.',
  'relocation.transfer-failed': 'Some files couldn’t be copied. The transfer lists them; try again.',
  'relocation.differs':
    '{count} files there differ from the original. Try again to copy everything once more.',
  'relocation.transfer-gone': 'The transfer is no longer in the list. Try again to copy the rest.',
  'relocation.too-many': 'At most {most} moves are remembered. Remove an ended one first.',
  'relocation.gone': 'This move has ended. Reload the page.',
} as const
