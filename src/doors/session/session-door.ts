import { answerWithPage } from '../http/page.ts'
import type { ScriptAccess } from '../http/script-access.ts'
import type { Door } from '../http/server.ts'
import { sessionCookie } from '../http/session-cookie.ts'
import { addAccountPage } from './account.ts'
import { addFrontPage } from './front-page.ts'
import { addLinkPages } from './link-pages.ts'
import { addLogin } from './login.ts'
import { addLogout } from './logout.ts'
import { addSessionToken } from './session-token.ts'
import { addSetup, setupScriptPath } from './setup.ts'
import { setupScript } from './setup-script.ts'
import { stylesheet } from './stylesheet.ts'

/** Pages are for people. */
export const sessionScriptAccess: readonly ScriptAccess[] = [
  {
    paths: /^\/(?:$|(?:user\/(?:login|logout)|account|setup|invitation(?:\.json)?|new-password(?:\.json)?)(?:\/|$))/,
    openTo: 'nobody',
  },
]

/** Logging in and out with a session (spec 5.1), one's own account, and the first run. */
export const sessionDoor: Door = (app, installation) => {
  app.decorateRequest('openedSession', null)
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (request.openedSession !== null)
      reply.header('set-cookie', sessionCookie(request, installation, request.openedSession))
    done()
  })
  app.register(async (scope) => {
    scope.setErrorHandler(answerWithPage)
    addFrontPage(scope, installation)
    addLogin(scope, installation)
    addLogout(scope, installation)
    addSessionToken(scope, installation)
    addSetup(scope, installation)
    addAccountPage(scope, installation)
    addLinkPages(scope, installation)
  })
  app.get('/furrow.css', (_request, reply) => {
    reply
      .headers({ 'content-type': 'text/css; charset=utf-8', 'cache-control': 'public, max-age=3600' })
      .send(stylesheet)
  })
  app.get(setupScriptPath, (_request, reply) => {
    reply
      .headers({ 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'public, max-age=3600' })
      .send(setupScript)
  })
}
