// A process of its own: the scripted endpoint on a free port of the loopback interface, which it prints.
//   node server/serve.mjs <delay of each answer in ms>
import http from 'node:http'
import { answerTo } from './answers.mjs'

const delayMs = Number(process.argv[2])
const server = http.createServer((request, response) => {
  const parts = []
  request.on('data', (part) => parts.push(part))
  request.on('end', () => {
    const { contentType, body } = answerTo(Buffer.concat(parts))
    const send = () => {
      response.writeHead(200, { 'content-type': contentType, 'content-length': Buffer.byteLength(body) })
      response.end(body)
    }
    if (delayMs > 0) setTimeout(send, delayMs)
    else send()
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', 4_096, () => process.stdout.write(`${server.address().port}\n`))
