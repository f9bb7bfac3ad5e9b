/** What packages that make catalogs and read manifests share with core. */
export { isMisspelling, messageOf, renderTemplate, templateVariables, utf8Length } from '@harnesswright/protocol'
export { compileSchema, type SchemaFault, type Validator } from '../json/validator.js'
export { PROTOCOL } from './protocol-number.js'
