//! Ways to pack a body: ours, and libraries with a dictionary.

use crate::ours;
use std::io;
use zstd::bulk::{Compressor, Decompressor};

/// Packs and unpacks one body at a time.
pub trait Packer {
    fn pack(&mut self, body: &str) -> io::Result<Vec<u8>>;
    fn unpack(&mut self, packed: Vec<u8>, bytes: usize) -> io::Result<Vec<u8>>;
}

pub struct Ours;

impl Packer for Ours {
    fn pack(&mut self, body: &str) -> io::Result<Vec<u8>> {
        Ok(ours::pack(body).into_owned().into_bytes())
    }

    fn unpack(&mut self, packed: Vec<u8>, _: usize) -> io::Result<Vec<u8>> {
        let stored = String::from_utf8(packed).map_err(io::Error::other)?;
        Ok(ours::unpack(stored).into_bytes())
    }
}

pub struct Zstd {
    compressor: Compressor<'static>,
    decompressor: Decompressor<'static>,
}

impl Zstd {
    pub fn new(level: i32, dictionary: &[u8]) -> io::Result<Self> {
        let mut compressor = Compressor::with_dictionary(level, dictionary)?;
        // What a row has of its own: its hash is checked already, its length is written beside it, the dictionary is known.
        compressor.include_checksum(false)?;
        compressor.include_dictid(false)?;
        compressor.include_contentsize(false)?;
        let decompressor = Decompressor::with_dictionary(dictionary)?;
        Ok(Self { compressor, decompressor })
    }
}

impl Packer for Zstd {
    fn pack(&mut self, body: &str) -> io::Result<Vec<u8>> {
        self.compressor.compress(body.as_bytes())
    }

    fn unpack(&mut self, packed: Vec<u8>, bytes: usize) -> io::Result<Vec<u8>> {
        self.decompressor.decompress(&packed, bytes)
    }
}

pub struct Lz4(pub Vec<u8>);

impl Packer for Lz4 {
    fn pack(&mut self, body: &str) -> io::Result<Vec<u8>> {
        Ok(lz4_flex::block::compress_with_dict(body.as_bytes(), &self.0))
    }

    fn unpack(&mut self, packed: Vec<u8>, bytes: usize) -> io::Result<Vec<u8>> {
        lz4_flex::block::decompress_with_dict(&packed, bytes, &self.0).map_err(io::Error::other)
    }
}
