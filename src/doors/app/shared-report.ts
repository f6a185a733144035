import type { FastifyInstance } from 'fastify'
import type { Records } from '../../records/records.ts'
import { sharedReport } from '../../reports/report-links.ts'
import type { PageWords } from '../../words/page-words.ts'
import { reportTexts } from '../../words/words-of.ts'
import { readForm } from '../http/body.ts'
import { visitorOf } from '../http/caller.ts'
import { answerWithPage } from '../http/page.ts'
import { deliver } from '../http/record-answers.ts'
import { answerWithFile } from './app-files.ts'

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  // Photos of a link are in its document.
  'img-src data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const hidden = { 'x-robots-tag': 'noindex, nofollow' } as const

/**
 * A report for people without an account. The key is in the fragment of the address, which browsers do not send: the
 * page's script sends it.
 */
export function addSharedReport(app: FastifyInstance, installation: Records): void {
  app.register(async (scope) => {
    scope.setErrorHandler(answerWithPage)
    scope.get('/shared-report', async (request, reply) => {
      reply.headers({ ...hidden, 'content-security-policy': policy })
      return deliver(reply, await answerWithFile(request, 'shared-report.html'))
    })
    for (const file of ['shared-report.js', 'shared-report.css'])
      scope.get(`/${file}`, async (request, reply) => deliver(reply, await answerWithFile(request, file)))
    scope.post('/shared-report.json', async (request, reply) => {
      const key = readForm(request).values.get('key') ?? ''
      const { document, expires, ...told } = await sharedReport(installation, {
        key,
        ...visitorOf(request, installation),
      })
      const words = await wordsOf(await request.server.wordsFor(request))
      const head = JSON.stringify({ ...told, ends: String(expires), ...words })
      reply.headers({ ...hidden, 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
      return reply.send(`${head.slice(0, -1)},"document":${document}}`)
    })
  })
}

/** English is part of the page. */
async function wordsOf({ language, direction }: PageWords): Promise<object> {
  const texts = await reportTexts(language)
  return texts === undefined ? {} : { words: { language, direction, texts } }
}
