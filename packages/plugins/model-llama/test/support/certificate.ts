import { generateKeyPairSync, sign } from 'node:crypto'

/** A key and a certificate of its own, for servers on this computer alone. */
export interface Certificate {
  readonly key: string
  readonly cert: string
}

const [INTEGER, BIT_STRING, OCTET_STRING, OID, UTF8, SEQUENCE, SET, UTC_TIME, BOOLEAN] = [
  0x02, 0x03, 0x04, 0x06, 0x0c, 0x30, 0x31, 0x17, 0x01,
] as const
const ECDSA_SHA256 = '2a8648ce3d040302'
const COMMON_NAME = '550403'
const ALT_NAMES = '551d11'
const BASIC_CONSTRAINTS = '551d13'

/** Makes a certificate for `localhost` and 127.0.0.1 that trusts itself. */
export function makeCertificate(): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = der(SEQUENCE, der(OID, hex(ECDSA_SHA256)))
  const commonName = der(SEQUENCE, der(OID, hex(COMMON_NAME)), der(UTF8, Buffer.from('localhost')))
  const name = der(SEQUENCE, der(SET, commonName))
  const validity = der(SEQUENCE, time('250101000000Z'), time('491231235959Z'))
  const altNames = der(SEQUENCE, der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1])))
  const isAuthority = der(SEQUENCE, der(BOOLEAN, Buffer.from([0xff])))
  const extensions = der(SEQUENCE, extension(ALT_NAMES, altNames), extension(BASIC_CONSTRAINTS, isAuthority))
  const body = der(
    SEQUENCE,
    der(0xa0, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.from([1])),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  )
  const signature = der(BIT_STRING, Buffer.from([0]), sign('sha256', body, privateKey))
  const whole = der(SEQUENCE, body, algorithm, signature).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${whole.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  }
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const { length } = body
  const bytes = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...bytes]), body])
}

function extension(id: string, value: Buffer): Buffer {
  return der(SEQUENCE, der(OID, hex(id)), der(OCTET_STRING, value))
}

const time = (text: string): Buffer => der(UTC_TIME, Buffer.from(text))
const hex = (text: string): Buffer => Buffer.from(text, 'hex')
