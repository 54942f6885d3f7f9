/** zarrita as npm has it. */
export * from "zarrita";
