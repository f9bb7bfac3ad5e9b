/** The number of the protocol that this core speaks. Packages and manifests name the one they are made for. */
export const PROTOCOL = 1
