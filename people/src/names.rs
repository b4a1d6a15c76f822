//! Names of people and places, none of which is anybody's or anywhere.

pub const FEMALE: [&str; 24] = [
    "Abena", "Beatrix", "Carys", "Delia", "Esme", "Farida", "Greta", "Hana", "Isolde", "Jamila", "Kerstin", "Leonie",
    "Maren", "Nadia", "Orla", "Priya", "Rosalind", "Saskia", "Tamsin", "Una", "Vera", "Winifred", "Yasmin", "Zelda",
];

pub const MALE: [&str; 24] = [
    "Adebayo", "Bertram", "Cormac", "Dmitri", "Edmund", "Farhan", "Gareth", "Hamish", "Ivo", "Jonas", "Kwame",
    "Lorcan", "Marek", "Nils", "Osman", "Piers", "Quentin", "Rhodri", "Stellan", "Tariq", "Ulrich", "Viktor",
    "Wilfred", "Yusuf",
];

pub const FAMILY: [&str; 32] = [
    "Ashgrove",
    "Barrowby",
    "Calderwick",
    "Dunmore",
    "Eastlake",
    "Fenwright",
    "Garrowby",
    "Hartmoor",
    "Inglebrook",
    "Jarrowdale",
    "Kestrelton",
    "Lindqvale",
    "Mossbury",
    "Nethercott",
    "Oakhanger",
    "Penhallow",
    "Quillfeather",
    "Ravensdale",
    "Saltmarsh",
    "Thistleton",
    "Underhay",
    "Vantongeren",
    "Wetherdene",
    "Yarrowfield",
    "Adeyinka",
    "Bhattarai",
    "Czarnolas",
    "Demirkan",
    "Eskelund",
    "Farouqi",
    "Gunnarsby",
    "Hadzimark",
];

pub const STREETS: [&str; 12] = [
    "Heron Walk",
    "Tanners Row",
    "Plover Lane",
    "Old Wharf",
    "Chapel Rise",
    "Orchard View",
    "Sexton Street",
    "Weir Cottages",
    "Juniper Close",
    "Signal Hill",
    "Lime Court",
    "Bakery Yard",
];

pub const TOWNS: [&str; 6] = ["Larkfield", "Marsh Lane", "Upper Combe", "Saltby", "Northwick", "Brindle"];
