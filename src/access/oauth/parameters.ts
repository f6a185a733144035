import { OAuthRefusal } from './oauth-refusal.ts'

/** Parameters of a form, a JSON object or a query; a parameter sent more than once is also in `repeated`. */
export interface OAuthParameters {
  readonly values: ReadonlyMap<string, string>
  readonly repeated: ReadonlySet<string>
}

/** RFC 6749 section 3.2: an empty parameter counts as omitted. */
export function parameter({ values }: OAuthParameters, name: string): string | undefined {
  return values.get(name) || undefined
}

export function requiredParameter(parameters: OAuthParameters, name: string): string {
  const value = parameter(parameters, name)
  if (value === undefined) throw new OAuthRefusal('invalid_request', `Missing parameter: "${name}" is required`)
  return value
}

export function refuseRepeated({ repeated }: OAuthParameters): void {
  const [name] = repeated
  if (name !== undefined) throw new OAuthRefusal('invalid_request', `The parameter "${name}" came more than once`)
}
