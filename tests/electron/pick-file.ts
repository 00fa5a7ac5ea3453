/** A command of the protocol of Chromium's developer tools. */
type Send = (command: string, input?: object) => Promise<unknown>

/** Has a file of this computer picked in a field of the page, as a person does in the system's dialog. */
export async function pickFile(send: Send, id: string, file: string): Promise<void> {
  const { root } = (await send('DOM.getDocument')) as { root: { nodeId: number } }
  const field = await send('DOM.querySelector', { nodeId: root.nodeId, selector: `#${id}` })
  const { nodeId } = field as { nodeId: number }
  if (nodeId === 0) throw new Error('the field for the file is not in the page')
  await send('DOM.setFileInputFiles', { nodeId, files: [file] })
}
