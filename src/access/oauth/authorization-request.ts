import { Refusal } from '../../refusal.ts'
import type { Installation } from '../installation.ts'
import { hashOf, isSame } from '../secrets.ts'
import { isRegistered } from './client-rules.ts'
import { findClient, type OAuthClient, requestedScope } from './clients.ts'
import { type OAuthError, OAuthRefusal, RedirectedRefusal, type ReturnAddress } from './oauth-refusal.ts'
import { type OAuthParameters, parameter } from './parameters.ts'

/** A valid authorization request (RFC 6749 section 4.1.1). */
export interface AuthorizationRequest {
  readonly client: OAuthClient
  readonly returnAddress: ReturnAddress
  /** True if the client sent the redirect URI and must repeat it. */
  readonly redirectUriSent: boolean
  readonly scope: string
  readonly challenge: string | null
  /** The client wants no page (`prompt=none`). */
  readonly isSilent: boolean
}

/** Until client and redirect URI are verified, errors are shown here; after that they are sent to the client. */
export async function readAuthorizationRequest(
  installation: Installation,
  given: OAuthParameters,
): Promise<AuthorizationRequest> {
  refuseRepeatedOf(given, ['client_id', 'redirect_uri'])
  const client = await knownClient(installation, parameter(given, 'client_id'))
  const redirectUri = knownRedirectUri(client, parameter(given, 'redirect_uri'))
  const state = given.repeated.has('state') ? null : (parameter(given, 'state') ?? null)
  const returnAddress = { redirectUri, state }
  const refuse: Refuse = (error, description) => {
    throw new RedirectedRefusal(error, description, returnAddress)
  }
  const checkedRequest = { given, client, refuse }
  for (const check of checks) check(checkedRequest)
  return {
    client,
    returnAddress,
    redirectUriSent: parameter(given, 'redirect_uri') !== undefined,
    scope: scopeOf(installation, checkedRequest),
    challenge: parameter(given, 'code_challenge') ?? null,
    isSilent: (parameter(given, 'prompt') ?? '').split(' ').includes('none'),
  }
}

function refuseRepeatedOf({ repeated }: OAuthParameters, names: readonly string[]): void {
  const name = names.find((each) => repeated.has(each))
  if (name !== undefined) throw new Refusal('bad-request', `The parameter "${name}" came more than once.`)
}

async function knownClient(installation: Installation, id: string | undefined): Promise<OAuthClient> {
  const client =
    id === undefined ? null : await installation.database.read((snapshot) => findClient(installation, snapshot, id))
  if (!client || client.disabled) {
    throw new Refusal('bad-request', 'The application that sent you here is not known to this farm.')
  }
  return client
}

function knownRedirectUri({ redirectUris }: OAuthClient, asked: string | undefined): string {
  if (asked !== undefined && isRegistered(asked, redirectUris)) return asked
  const [only] = redirectUris
  if (asked === undefined && only !== undefined && redirectUris.length === 1) return only
  throw new Refusal('bad-request', 'The application wants you sent back to an address that is not registered for it.')
}

type Refuse = (error: OAuthError, description: string) => never

interface CheckedRequest {
  readonly given: OAuthParameters
  readonly client: OAuthClient
  readonly refuse: Refuse
}

const checks: readonly ((asked: CheckedRequest) => void)[] = [
  nothingIsRepeated,
  aCodeIsAsked,
  theClientMayAskForCodes,
  theAnswerGoesIntoTheQuery,
  theChallengeIsSound,
  theAnswerCanBeMatched,
]

function nothingIsRepeated({ given, refuse }: CheckedRequest): void {
  const [name] = given.repeated
  if (name !== undefined) refuse('invalid_request', `The parameter "${name}" came more than once`)
}

function aCodeIsAsked({ given, refuse }: CheckedRequest): void {
  const type = parameter(given, 'response_type')
  if (type === undefined) refuse('invalid_request', 'Missing parameter: "response_type" is required')
  if (type !== 'code') refuse('unsupported_response_type', 'The only response type is code')
}

function theClientMayAskForCodes({ client, refuse }: CheckedRequest): void {
  if (!client.grants.includes('authorization_code')) {
    refuse('unauthorized_client', 'This client may not use the grant authorization_code')
  }
}

function theAnswerGoesIntoTheQuery({ given, refuse }: CheckedRequest): void {
  if ((parameter(given, 'response_mode') ?? 'query') !== 'query')
    refuse('invalid_request', 'The only response mode is query')
}

function theChallengeIsSound({ given, client, refuse }: CheckedRequest): void {
  const challenge = parameter(given, 'code_challenge')
  const method = parameter(given, 'code_challenge_method')
  if (challenge === undefined) {
    if (method !== undefined) refuse('invalid_request', 'There is a code_challenge_method and no code_challenge')
    if (client.pkce === 'required') refuse('invalid_request', 'This client has to send a code_challenge (S256)')
    return
  }
  if (method !== 'S256') refuse('invalid_request', 'The only code_challenge_method is S256')
  if (!isChallenge(challenge)) refuse('invalid_request', `The code_challenge has ${challengeForm}`)
}

/** Without PKCE, only the state ties an answer to its request. */
function theAnswerCanBeMatched({ given, refuse }: CheckedRequest): void {
  if (parameter(given, 'state') === undefined && parameter(given, 'code_challenge') === undefined) {
    refuse('invalid_request', 'The state parameter is required')
  }
}

function scopeOf(installation: Installation, { given, client, refuse }: CheckedRequest): string {
  try {
    return requestedScope(installation.farm, client, parameter(given, 'scope'))
  } catch (error) {
    if (error instanceof OAuthRefusal) refuse(error.error, error.message)
    throw error
  }
}

/** RFC 7636 sections 4.1 and 4.2: verifier and challenge have the same form. */
const lengths = { least: 43, most: 128 }
const form = new RegExp(`^[A-Za-z0-9._~-]{${lengths.least},${lengths.most}}$`)

/** Completes the sentence "the code_challenge has …". */
const challengeForm = `${lengths.least} to ${lengths.most} characters of its alphabet`

function isChallenge(text: string): boolean {
  return form.test(text)
}

/** S256 is the only method. Without a challenge there must be no verifier. */
export function answersChallenge(verifier: string | undefined, challenge: string | null): boolean {
  if (challenge === null || verifier === undefined) return challenge === null && verifier === undefined
  return form.test(verifier) && isSame(hashOf(verifier), challenge)
}
