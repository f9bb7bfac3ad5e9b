/** What packages that make catalogs and read manifests share with core. */
export { messageOf } from '../errors/error.js'
export { utf8Length } from '../json/text.js'
export { compileSchema, type SchemaFault, type Validator } from '../json/validator.js'
export { renderTemplate, templateVariables } from '../module/template.js'
export { isMisspelling } from './nearest.js'
export { PROTOCOL } from './protocol-number.js'
