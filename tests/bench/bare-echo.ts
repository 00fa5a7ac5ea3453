/* The raw limit of a command's way: pipes a WebSocket to the flood program and back, and does nothing else. Its parent ends it. */
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'

const [launcher = ''] = process.argv.slice(2)
const server = createServer((_request, response) =>
  response.setHeader('content-type', 'text/html').end('<!doctype html><div id="t"></div><input>'),
)
new WebSocketServer({ server }).on('connection', (socket) => {
  const program = spawn(process.execPath, [launcher], { stdio: ['pipe', 'pipe', 'inherit'] })
  program.stdout.on('data', (text: Buffer) => socket.send(text.toString()))
  program.stdin.on('error', () => undefined)
  program.on('error', () => socket.terminate())
  socket.on('message', (line: Buffer) => program.stdin.write(`${line.toString()}\n`))
  socket.on('error', () => undefined)
  socket.on('close', () => program.kill())
})
server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
process.on('disconnect', () => process.exit(0))
